/** `svc operator` for people: the helper packages of a phone. */

import { duration } from '../../../contracts/duration.ts'
import { bullets, type Fact, facts, headline, lines, table } from './layout.ts'
import type { Page } from './page.ts'
import { safe } from './visible.ts'

interface HelperPackage {
  packageName: string
  purpose?: string
  status?: string
  is?: string
}

interface OperatorOutput {
  deviceId: string
  operatorPackage: string
  packages: readonly HelperPackage[]
}

const packagesText = (page: Page, packages: readonly HelperPackage[]): string =>
  table(
    page,
    [
      { title: 'package', cell: ({ packageName }) => packageName },
      { title: 'state', cell: ({ status, is = '' }) => (status ?? is).replaceAll('_', ' ') },
      { title: 'purpose', cell: ({ purpose = '' }) => purpose, leaveOut: 1, atLeast: 16 },
    ],
    packages,
  )

export const operatorInstalledText = (page: Page, output: OperatorOutput & { notes: readonly string[] }): string =>
  lines(
    headline(page, 'ok', safe`${output.deviceId} has the helpers of ${output.operatorPackage}.`),
    packagesText(page, output.packages),
    bullets(page, output.notes),
    safe`To use it: --operator-package ${output.operatorPackage}`,
  )

interface OperatorStatus extends OperatorOutput {
  ready: boolean
  running: boolean
  automationHeldBy?: string
  keyboardToRestore?: string
}

export const operatorStatusText = (page: Page, output: OperatorStatus): string => {
  const { deviceId, operatorPackage, ready, running, packages } = output
  const state = ready ? `is ready${running ? ' and running' : ''}` : 'is not installed'
  const rows: Fact[] = [
    ['Automation', output.automationHeldBy && `held by ${output.automationHeldBy}`],
    ['Keyboard', output.keyboardToRestore && `${output.keyboardToRestore} is to be restored`],
    ['Next', ready ? undefined : 'svc operator install'],
  ]
  return lines(
    headline(page, ready ? 'ok' : 'warning', safe`${operatorPackage} ${state} on ${deviceId}.`),
    packagesText(page, packages),
    facts(page, rows, 2),
  )
}

export const operatorUninstalledText = (page: Page, { deviceId, packages }: OperatorOutput): string =>
  lines(headline(page, 'ok', safe`${deviceId} is without these helpers.`), packagesText(page, packages))

interface Timed {
  ok: number
  failures: readonly string[]
  ms: { least: number; median: number; most: number } | null
}

interface Measured {
  path: string
  deviceId: string
  report: { start: Timed; snapshots: Timed; taps: Timed; text: { status: string; reason?: string; ms?: number } }
}

const timedText = ({ ok, failures, ms }: Timed): string => {
  const times = ms ? `, ${duration(ms.median)} in the middle (${duration(ms.least)} to ${duration(ms.most)})` : ''
  return `${ok} ok${times}${failures.length > 0 ? `, ${failures.length} failed: ${failures[0]}` : ''}`
}

export const operatorReportText = (page: Page, { path, deviceId, report }: Measured): string => {
  const { start, snapshots, taps, text } = report
  const typed = [text.status, text.ms === undefined ? undefined : `in ${duration(text.ms)}`, text.reason]
  const rows: Fact[] = [
    ['Start', timedText(start)],
    ['Snapshots', timedText(snapshots)],
    ['Taps', timedText(taps)],
    ['Typing', typed.filter(part => part !== undefined).join(', ')],
  ]
  return lines(headline(page, 'ok', safe`Measured ${deviceId}; the report is ${path}`), facts(page, rows, 2))
}
