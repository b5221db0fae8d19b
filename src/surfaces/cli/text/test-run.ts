/** `svc test` for people: a line for each attempt that ends, and at the end the flows that did not pass, and a sentence. */

import { duration } from '../../../contracts/duration.ts'
import {
  attemptError,
  countOutcomes,
  failedExecution,
  isFlaky,
  lastAttempt,
  type OutcomeCounts,
  outcomeOf,
  tookMs,
} from '../../../contracts/flows/test-outcome.ts'
import type { FlowAttempt, FlowError, TestFlow, TestRun, Verdict } from '../../../contracts/flows/test-run.ts'
import { failureText } from './failure.ts'
import { blocks, bullets, counted, headline, lines } from './layout.ts'
import { type Page, type SignName, sign } from './page.ts'
import { safe } from './visible.ts'

const SIGN_OF: Readonly<Record<Verdict | 'unfinished', SignName>> = {
  passed: 'ok',
  failed: 'failed',
  indeterminate: 'unknown',
  skipped: 'warning',
  cancelled: 'warning',
  unfinished: 'unknown',
}

const COUNTED = ['passed', 'failed', 'indeterminate', 'cancelled', 'skipped', 'unfinished'] as const

/** `10 passed (1 flaky), 1 failed` */
export const countsWords = (counts: Partial<OutcomeCounts>): string =>
  COUNTED.flatMap(name => {
    const count = counts[name] ?? 0
    if (count === 0) return []
    return [`${count} ${name}${name === 'passed' && counts.flaky ? ` (${counts.flaky} flaky)` : ''}`]
  }).join(', ')

export interface AttemptEnd extends Pick<FlowAttempt, 'attempt' | 'deviceId'> {
  readonly name: string
  readonly verdict: Verdict
  readonly error: FlowError | undefined
  readonly tookMs: number
  readonly isRetried: boolean
}

const VERBS: Readonly<Record<Verdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  indeterminate: 'is indeterminate',
  skipped: 'was skipped',
  cancelled: 'was cancelled',
}

/** `✗ Pay failed on emulator-5554 in 4.2 s, and is tried again: ASSERTION_FAILED` */
export const attemptLine = (page: Page, attempt: AttemptEnd): string => {
  const { name, verdict, deviceId, error, isRetried } = attempt
  const nth = attempt.attempt > 1 ? ` in attempt ${attempt.attempt}` : ''
  const again = isRetried ? ', and is tried again' : ''
  // The end of the run tells the failure of the last attempt as a whole.
  const why = error && isRetried ? safe`: ${error.code}` : ''
  const took = duration(attempt.tookMs)
  return `${sign(page, SIGN_OF[verdict])} ${safe`${name} ${VERBS[verdict]} on ${deviceId}`}${nth} after ${took}${again}${why}`
}

const placeText = ({ file, line }: FlowError): string | undefined =>
  file === undefined ? undefined : `${file}${line === undefined ? '' : `:${line}`}`

/** A flow that did not pass: where, why, what to do, and where more is to be seen. */
const unpassedText = (page: Page, folder: string, flow: TestFlow): string => {
  const outcome = outcomeOf(flow)
  const last = lastAttempt(flow)
  const error = last && attemptError(last)
  const where = last ? safe` on ${last.deviceId}` : ''
  const nth = last && last.attempt > 1 ? ` in attempt ${last.attempt}` : ''
  const verb = outcome === 'unfinished' ? 'did not end' : VERBS[outcome]
  const head = `${sign(page, SIGN_OF[outcome])} ${page.paint('bold', safe`${flow.name} ${verb}`)}${where}${nth} ${safe`(${flow.flow})`}`
  if (!error || !last) return lines(head, flow.reason === undefined ? undefined : bullets(page, [flow.reason]))
  const facts = [
    ['At', placeText(error)],
    ['Command', error.command?.trim()],
    ['Files', last.files?.map(file => `${folder}/${file}`).join(', ')],
  ] as const
  return lines(head, failureText(page, error, { executionId: failedExecution(last) ?? null, facts }))
}

const isUnpassed = (flow: TestFlow) => !['passed', 'skipped'].includes(outcomeOf(flow))

/** Sentences on flows that passed after an attempt that did not. */
const flakyText = (page: Page, flow: TestFlow): string => {
  const [first] = flow.attempts
  const error = first && attemptError(first)
  const why = error ? safe` after ${error.code}: ${error.message}` : ''
  return headline(page, 'warning', `${safe`${flow.name} passed in attempt ${flow.attempts.length}`}${why}`)
}

/** Warnings of the last attempt count, whether it passed or not. */
const warningTexts = (page: Page, flow: TestFlow): string[] =>
  (lastAttempt(flow)?.warnings ?? []).map(({ file, line, message }) =>
    headline(page, 'warning', safe`${file}:${line}: ${message}`),
  )

const summaryText = (page: Page, run: TestRun): string => {
  const words = countsWords(countOutcomes(run))
  const took = run.endedAt === undefined ? '' : ` in ${duration(tookMs(run))}`
  const outcome = outcomeOf(run)
  const text = `${counted(run.flows.length, 'flow')}${words === '' ? '' : `: ${words}`}${took}.`
  return headline(page, SIGN_OF[outcome], text)
}

export const testRunText = (page: Page, run: TestRun): string =>
  blocks(
    ...run.flows.filter(isUnpassed).map(flow => unpassedText(page, run.folder, flow)),
    lines(...new Set(run.flows.flatMap(flow => warningTexts(page, flow)))),
    lines(...run.flows.filter(isFlaky).map(flow => flakyText(page, flow))),
    run.error ? failureText(page, run.error) : undefined,
    lines(
      summaryText(page, run),
      run.flows.length === 0
        ? safe`  Test run ${run.testRunId}`
        : safe`  Test run ${run.testRunId}, files in ${run.folder}`,
    ),
  )

/** Prints a run, or with --validate-only the flows that would run. */
export const testRunOutputText = (
  page: Page,
  output: { testRun: TestRun } | { flows: readonly { name: string }[] },
): string =>
  'testRun' in output
    ? testRunText(page, output.testRun)
    : headline(page, 'ok', `${counted(output.flows.length, 'flow')} can be run.`)
