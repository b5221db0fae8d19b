/** `svc operator`: asks about the helpers of svc.uiautomator, and prints what came of it. */
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { duration } from '../../../contracts/duration.ts'
import type { OperatorRequests } from '../../../service/operators/operators.ts'
import type { Result } from '../../../service/service.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { leaseOf } from '../flags/flag-values.ts'
import { fieldsText, listText } from '../text/answer.ts'
import { bullets, headline, lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'

export const operatorCall = (call: CommandContext) => ({
  deviceId: call.text('device'),
  leaseId: leaseOf(call),
  signal: call.signal,
})

const asking = async (
  call: CommandContext,
  ask: (helpers: OperatorRequests['helpers']) => Promise<Result<object>>,
): Promise<CommandResult> => {
  const { helpers } = await (await call.services()).operators()
  const result = await ask(helpers)
  return result.ok ? { ok: true, output: result.value } : { ok: false, output: result.error }
}

const helpersCall = (call: CommandContext) => ({ ...operatorCall(call), hasKeyboard: !call.isOn('no-keyboard') })

export const install = (call: CommandContext): Promise<CommandResult> =>
  asking(call, helpers => helpers.install(helpersCall(call)))

export const uninstall = (call: CommandContext): Promise<CommandResult> =>
  asking(call, helpers => helpers.uninstall(helpersCall(call)))

export const status = (call: CommandContext): Promise<CommandResult> =>
  asking(call, helpers => helpers.status(operatorCall(call)))

const DEFAULT_REPORT = 'svc-operator-report.json'

const writeReport = (path: string, report: object) => {
  try {
    writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw usage(code === 'EEXIST' ? `${path} already exists: choose a new file.` : `--to: ${message}`)
  }
}

export const report = (call: CommandContext): Promise<CommandResult> => {
  const path = resolve(call.cwd, call.text('to') ?? DEFAULT_REPORT)
  if (existsSync(path)) throw usage(`${path} already exists: choose a new file.`)
  return asking(call, async helpers => {
    const result = await helpers.report({ ...operatorCall(call), field: call.text('field') })
    if (!result.ok) return result
    const { report: written, ...found } = result.value
    writeReport(path, written)
    return { ...result, value: { ...found, path, report: written } }
  })
}

interface HelperPackage {
  packageName: string
  status?: string
  is?: string
}

interface Helpers {
  deviceId: string
  operatorPackage: string
  packages: readonly HelperPackage[]
}

const packagesText = (page: Page, packages: readonly HelperPackage[]): string =>
  listText(page, packages, {
    as: { status: ({ status, is = '' }) => (status ?? is).replaceAll('_', ' ') },
    without: ['is'],
    first: ['packageName', 'status'],
  })

export const operatorInstalledText = (page: Page, output: Helpers & { notes: readonly string[] }): string =>
  lines(
    headline(page, 'ok', safe`${output.deviceId} has the helpers of ${output.operatorPackage}.`),
    packagesText(page, output.packages),
    bullets(page, output.notes),
    safe`To use it: --operator-package ${output.operatorPackage}`,
  )

export const operatorStatusText = (page: Page, output: Helpers & { ready: boolean; running: boolean }): string => {
  const { deviceId, operatorPackage, ready, running, packages } = output
  const state = ready ? `is ready${running ? ' and running' : ''}` : 'is not installed'
  return lines(
    headline(page, ready ? 'ok' : 'warning', safe`${operatorPackage} ${state} on ${deviceId}.`),
    packagesText(page, packages),
    fieldsText(page, output, {
      as: { next: () => (ready ? '' : 'svc operator install') },
      without: ['ok', 'deviceId', 'operatorPackage', 'ready', 'running', 'packages'],
    }),
  )
}

export const operatorUninstalledText = (page: Page, { deviceId, packages }: Helpers): string =>
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
  const { status, ms, reason } = report.text
  const typed = [status, ms === undefined ? undefined : `in ${duration(ms)}`, reason]
  return lines(
    headline(page, 'ok', safe`Measured ${deviceId}; the report is ${path}`),
    fieldsText(page, {
      start: timedText(report.start),
      snapshots: timedText(report.snapshots),
      taps: timedText(report.taps),
      typing: typed.filter(part => part !== undefined).join(', '),
    }),
  )
}
