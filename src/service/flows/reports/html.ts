/** A run as one HTML file: a list that needs no script, and the page that is drawn over it. */

import {
  countOutcomes,
  failedExecution,
  flowError,
  isFlaky,
  lastAttempt,
  outcomeOf,
  tookMs,
} from '../../../contracts/flows/test-outcome.ts'
import type { TestFlow, TestRun } from '../../../contracts/flows/test-run.ts'
import { standaloneHtml } from '../../../runtime/files/standalone-html.ts'
import { escapeHtml } from '../../../runtime/text/escape-html.ts'
import type { ReportContent } from './html-content.ts'
import { errorLines } from './places.ts'

/** The build of the viewer made them; empty texts leave the plain list. */
export interface ReportPage {
  readonly script: string
  readonly style: string
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

const flowHtml = (cwd: string, flow: TestFlow): string => {
  const last = lastAttempt(flow)
  const error = flowError(flow)
  const cells = [
    isFlaky(flow) ? 'passed, flaky' : outcomeOf(flow),
    flow.name,
    flow.flow,
    last?.deviceId ?? flow.deviceId ?? '',
    last ? seconds(tookMs(last)) : '',
  ]
  const why = error ? errorLines(cwd, error, last && failedExecution(last)).join('\n') : (flow.reason ?? '')
  const row = `<tr>${cells.map(cell => `<td><bdi>${escapeHtml(cell)}</bdi></td>`).join('')}</tr>`
  return why === '' ? row : `${row}<tr><td></td><td colspan="4"><pre>${escapeHtml(why)}</pre></td></tr>`
}

export const titleOf = (run: TestRun): string => {
  const { passed, failed } = countOutcomes(run)
  return `${run.verdict ?? run.state}: ${passed} of ${run.flows.length} flows passed${failed > 0 ? `, ${failed} failed` : ''}`
}

const HEADS = ['Verdict', 'Flow', 'File', 'Device', 'Took'].map(name => `<th scope="col">${name}</th>`).join('')

const plainList = (cwd: string, { run, omitted }: ReportContent['report']): string =>
  [
    '<main class="page">',
    `<h1>${escapeHtml(titleOf(run))}</h1>`,
    `<p>Test run ${escapeHtml(run.testRunId)}, ${new Date(run.startedAt).toISOString()}</p>`,
    run.error ? `<pre>${escapeHtml(errorLines(cwd, run.error).join('\n'))}</pre>` : '',
    ...omitted.map(sentence => `<p class="note">${escapeHtml(sentence)}</p>`),
    `<table class="table"><thead><tr>${HEADS}</tr></thead>`,
    `<tbody>${run.flows.map(flow => flowHtml(cwd, flow)).join('\n')}</tbody></table>`,
    '</main>',
  ].join('\n')

export const htmlReport = ({ report, elements }: ReportContent, page: ReportPage, cwd: string): string =>
  standaloneHtml({
    title: `svc test: ${titleOf(report.run)}`,
    ...page,
    body: plainList(cwd, report),
    data: [['report', report], ...elements],
  }).html
