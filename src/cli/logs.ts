/** `svc logs` and `svc notifications`: of a device of this machine, or of the host of the fleet that has it. */
import * as v from 'valibot'
import { LOG_LINES } from '../contracts/log-limits.ts'
import { type LogGap, type LogLine, LogsQuery } from '../contracts/logs.ts'
import { reachDevice } from '../executions/prepare.ts'
import { deviceIdFor } from '../service/executions.ts'
import { followLog, LogEndedError, type LogPage } from '../service/follow-log.ts'
import { openDeviceLog } from '../service/local/device-log.ts'
import { failed, type Result, type Service, success } from '../service/service.ts'
import { type Call, type CommandResult, usage } from './command.ts'
import { askDevice } from './devices.ts'
import { concernsFleet, deviceOf } from './execution-command.ts'
import { logLineText } from './text/log-line.ts'

const queryOf = ({ text }: Call): LogsQuery => {
  const given = ['app', 'level', 'since'].flatMap(name => {
    const value = text(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const read = v.safeParse(LogsQuery, Object.fromEntries(given))
  if (read.success) return read.output
  const [issue] = read.issues
  const name = String(issue.path?.[0]?.key ?? '')
  throw usage(`--${name} ${issue.message}; got "${text(name)}".`)
}

interface Printer {
  /** False when nobody reads any more. */
  lines(lines: readonly LogLine[]): Promise<boolean>
  gap(gap: LogGap | undefined): void
}

const printerFor = ({ env, format, io, log }: Call): Printer => {
  const hasColours = io.isTerminal() && !env.NO_COLOR && env.TERM !== 'dumb'
  const offset = (at: number) => -new Date(at).getTimezoneOffset()
  const textOf = (line: LogLine): string => {
    if (format === 'text') return logLineText(line, { hasColours, offset })
    return format === 'json' ? JSON.stringify(line) : JSON.stringify(line, null, 2)
  }
  return {
    lines: async lines => lines.length === 0 || io.print(lines.map(textOf).join('\n')),
    gap(gap) {
      if (gap) log.warn(`The device lost lines of its log between ${gap.from} and ${gap.to}.`)
    },
  }
}

const BOOT = 'boot'

const printHere = async (call: Call, query: LogsQuery, printer: Printer): Promise<Result<void>> => {
  const { clock, services, signal } = call
  const links = (await services()).links()
  const openDevice: Parameters<typeof openDeviceLog>[0]['openDevice'] = (deviceId, options) =>
    reachDevice(links, deviceId, options)
  const input = { since: BOOT, ...query, deviceId: deviceOf(call), isFollowing: call.isOn('follow') }
  const opened = await openDeviceLog({ openDevice, clock }, input, signal)
  if (!opened.ok) return opened
  const { steps, failureOf } = opened.value
  try {
    for await (const { gap, lines } of steps) {
      printer.gap(gap)
      if (!(await printer.lines(lines.map(({ line }) => line)))) break
    }
  } catch (error) {
    return failed(failureOf(error))
  }
  return success(undefined)
}

/** A position means nothing to whoever reads lines until a signal comes. */
const plain = ({ lines }: Pick<LogPage, 'lines'>): LogLine[] => lines.map(({ position: _, ...line }) => line)

const printFrom = async (service: Service, call: Call, query: LogsQuery, printer: Printer): Promise<Result<void>> => {
  const { clock, signal } = call
  const asked = { context: { caller: 'cli' }, signal } as const
  const chosen = await deviceIdFor(service, deviceOf(call), asked)
  if (!chosen.ok) return chosen
  const wanted = { since: BOOT, ...query, deviceId: chosen.value }
  if (call.isOn('follow')) {
    const followed = await followLog(service, { ...wanted, clock }, asked)
    if (!followed.ok) return followed
    try {
      for await (const page of followed.value) {
        printer.gap(page.gap)
        if (!(await printer.lines(plain(page)))) break
      }
    } catch (error) {
      if (error instanceof LogEndedError) return error.told
      throw error
    }
    return success(undefined)
  }
  const { since, ...rest } = wanted
  let from: { since: string; take: 'first' } | { after: string } = { since, take: 'first' }
  for (;;) {
    const read = await service['logs.read']({ ...rest, ...from, limit: LOG_LINES.max }, asked)
    if (!read.ok) return read
    printer.gap(read.value.gap)
    const isRead = await printer.lines(plain(read.value))
    if (!isRead || !read.value.more) return success(undefined)
    from = { after: read.value.position }
  }
}

export const printLogs = async (call: Call): Promise<CommandResult> => {
  const { clock, env } = call
  const device = deviceOf(call)
  const query = queryOf(call)
  const printer = printerFor(call)
  // Waiting for lines keeps no process alive by itself.
  const awake = clock.at(Number.POSITIVE_INFINITY, () => {})
  try {
    const fleet = concernsFleet(env, device) ? await import('./fleet/session.ts') : undefined
    const isElsewhere = fleet?.goesToFleet(call, device)
    const printed = isElsewhere
      ? await fleet?.askFleet(call, device, service => printFrom(service, call, query, printer))
      : undefined
    const result = printed ?? (await printHere(call, query, printer))
    return result.ok || call.signal.aborted ? { ok: true } : { ok: false, output: result.error }
  } finally {
    awake.cancel()
  }
}

export const listNotifications = async (call: Call): Promise<CommandResult> => {
  const result = await askDevice(call, (service, deviceId, asked) => service['notifications.list']({ deviceId }, asked))
  if (!result.ok) return { ok: false, output: result.error }
  const { notifications, count } = result.value
  return { ok: true, output: { notifications, count } }
}
