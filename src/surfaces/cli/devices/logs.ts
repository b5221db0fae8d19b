/** `svc logs` and `svc notifications`: of a device of this machine, or of the host of the fleet that has it. */

import * as v from 'valibot'
import {
  type LogGap,
  type LogLevelName,
  type LogLine,
  type LogPosition,
  LogsQuery,
} from '../../../contracts/device/logs.ts'
import type { Notification } from '../../../contracts/device/notifications.ts'
import { LOG_LINES } from '../../../contracts/limits/log-limits.ts'
import { deviceIdFor } from '../../../service/executions.ts'
import { followLog, LogEndedError, type LogPage } from '../../../service/follow-log.ts'
import { type DeviceLog, openDeviceLog } from '../../../service/local/device-log.ts'
import { failed, type Result, type Service, success } from '../../../service/service.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { concernsFleet, deviceOf } from '../executions/execution-command.ts'
import { wholeNumber } from '../flags/flag-values.ts'
import { counted, lines, paragraph } from '../text/layout.ts'
import type { LocalOffset, Page } from '../text/page.ts'
import { safe, visible, visibleLines } from '../text/visible.ts'
import { look } from './devices.ts'

/** The letter says the same. */
const COLOURS: Partial<Record<LogLevelName, string>> = {
  verbose: '2',
  debug: '2',
  warn: '33',
  error: '31',
  fatal: '1;31',
}

const MINUTE_MS = 60_000
const MONTH_TO_MS = ['yyyy-'.length, 'yyyy-mm-ddThh:mm:ss.mmm'.length] as const

interface LogTextOptions {
  hasColours: boolean
  offset: LocalOffset
}

/** Further lines of a message are indented below the first. */
/** A line of the log of a device for people: `11-26 03:03:17.607 W Example (com.example): two`. */
const logLineText = (line: LogLine, { hasColours, offset }: LogTextOptions): string => {
  const { time, level, tag, message, applicationId } = line
  const at = Date.parse(time)
  const local = new Date(at + offset(at) * MINUTE_MS)
    .toISOString()
    .slice(...MONTH_TO_MS)
    .replace('T', ' ')
  const by = applicationId === undefined ? '' : ` (${visible(applicationId)})`
  const [first = '', ...more] = visibleLines(message).split('\n')
  const head = `${local} ${(level[0] ?? '').toUpperCase()} ${visible(tag)}${by}: ${first}`
  const text = [head, ...more.map(each => `    ${each}`)].join('\n')
  const colour = hasColours ? COLOURS[level] : undefined
  return colour === undefined ? text : `\x1b[${colour}m${text}\x1b[0m`
}

/** Logcat and other loggers have these names for our levels. */
const LEVELS: Readonly<Record<string, string>> = { warning: 'warn', err: 'error' }

const queryOf = ({ text }: CommandContext): LogsQuery => {
  const pairs = ['app', 'level', 'since'].flatMap(name => {
    const value = text(name)
    if (value === undefined) return []
    return [[name, name === 'level' ? (LEVELS[value.toLowerCase()] ?? value) : value] as const]
  })
  const read = v.safeParse(LogsQuery, Object.fromEntries(pairs))
  if (read.success) return read.output
  const [issue] = read.issues
  const name = String(issue.path?.[0]?.key ?? '')
  throw usage(`--${name} ${issue.message}; got "${text(name)}".`)
}

const limitOf = (call: CommandContext): number | undefined => wholeNumber(call, 'limit', { min: 1, max: LOG_LINES.max })

interface Printer {
  /** False when nobody reads any more. */
  lines(lines: readonly LogLine[]): Promise<boolean>
  gap(gap: LogGap | undefined): void
}

const printerFor = ({ env, format, io, log }: CommandContext): Printer => {
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

/** Prints what the steps bring; with a limit, the last lines once they have ended. False when nobody reads any more. */
const printSteps = async (
  steps: DeviceLog['steps'],
  printer: Printer,
  limit: number | undefined,
): Promise<{ isRead: boolean; at: LogPosition | undefined }> => {
  let kept: LogLine[] = []
  let at: LogPosition | undefined
  for await (const step of steps) {
    at = step.at
    const lines = step.lines.map(({ line }) => line)
    if (limit !== undefined) {
      kept = [...kept, ...lines].slice(-limit)
      continue
    }
    printer.gap(step.gap)
    if (!(await printer.lines(lines))) return { isRead: false, at }
  }
  return { isRead: await printer.lines(kept), at }
}

const printHere = async (call: CommandContext, query: LogsQuery, printer: Printer): Promise<Result<void>> => {
  const { clock, services, signal } = call
  const { openDevice } = await services()
  const limit = limitOf(call)
  const isFollowing = call.isOn('follow')
  const input = { since: BOOT, ...query, deviceId: deviceOf(call) }
  const print = async (last: number | undefined, follows: boolean, after?: LogPosition) => {
    const opened = await openDeviceLog({ openDevice, clock }, { ...input, isFollowing: follows, after }, signal)
    if (!opened.ok) return opened
    try {
      return success(await printSteps(opened.value.steps, printer, last))
    } catch (error) {
      return failed(opened.value.failureOf(error))
    }
  }
  if (limit === undefined || !isFollowing) return withoutValue(await print(limit, isFollowing))
  const last = await print(limit, false)
  return last.ok && last.value.isRead ? withoutValue(await print(undefined, true, last.value.at)) : withoutValue(last)
}

const withoutValue = (result: Result<unknown>): Result<void> => (result.ok ? success(undefined) : result)

/** A position means nothing to whoever reads lines until a signal comes. */
const plain = ({ lines }: Pick<LogPage, 'lines'>): LogLine[] => lines.map(({ position: _, ...line }) => line)

const printPages = async (pages: AsyncIterable<LogPage>, printer: Printer): Promise<Result<void>> => {
  try {
    for await (const page of pages) {
      printer.gap(page.gap)
      if (!(await printer.lines(plain(page)))) break
    }
    return success(undefined)
  } catch (error) {
    if (error instanceof LogEndedError) return error.told
    throw error
  }
}

const printFrom = async (
  service: Service,
  call: CommandContext,
  query: LogsQuery,
  printer: Printer,
): Promise<Result<void>> => {
  const { clock, signal } = call
  const options = { context: { caller: 'cli' }, signal } as const
  const chosen = await deviceIdFor(service, deviceOf(call), options)
  if (!chosen.ok) return chosen
  const wanted = { since: BOOT, ...query, deviceId: chosen.value }
  const limit = limitOf(call)
  const isFollowing = call.isOn('follow')
  let after: string | undefined
  if (limit !== undefined) {
    const last = await service['logs.read']({ ...wanted, limit, take: 'last' }, options)
    if (!last.ok) return last
    const isRead = await printer.lines(plain(last.value))
    if (!isRead || !isFollowing) return success(undefined)
    after = last.value.position
  }
  if (isFollowing) {
    const followed = await followLog(service, { ...wanted, after, clock }, options)
    return followed.ok ? printPages(followed.value, printer) : followed
  }
  const { since, ...rest } = wanted
  let from: { since: string; take: 'first' } | { after: string } = { since, take: 'first' }
  for (;;) {
    const read = await service['logs.read']({ ...rest, ...from, limit: LOG_LINES.max }, options)
    if (!read.ok) return read
    printer.gap(read.value.gap)
    const isRead = await printer.lines(plain(read.value))
    if (!isRead || !read.value.more) return success(undefined)
    from = { after: read.value.position }
  }
}

export const printLogs = async (call: CommandContext): Promise<CommandResult> => {
  const { clock, env } = call
  const device = deviceOf(call)
  const query = queryOf(call)
  limitOf(call)
  const printer = printerFor(call)
  // Waiting for lines keeps no process alive by itself.
  const awake = clock.at(Number.POSITIVE_INFINITY, () => {})
  try {
    const fleet = concernsFleet(env, device) ? await import('../fleet/session.ts') : undefined
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

export const listNotifications = (call: CommandContext): Promise<CommandResult> => look('notifications.list', call, {})

const titleOf = ({ title = '' }: Notification): string => (title === '' ? '(no title)' : title)

const whereOf = (page: Page, { applicationId, ongoing, at }: Notification): string =>
  [safe`${applicationId}`, ...(at === undefined ? [] : [page.ago(at)]), ...(ongoing ? ['ongoing'] : [])].join(', ')

const textOf = (page: Page, { text = '', bigText = text }: Notification): string[] =>
  bigText === ''
    ? []
    : visibleLines(bigText)
        .split('\n')
        .map(line => `  ${paragraph(page, line, 2)}`)

export const notificationsText = (
  page: Page,
  { notifications }: { notifications: readonly Notification[] },
): string => {
  if (notifications.length === 0) return paragraph(page, 'The device has no notifications.')
  const entries = notifications.flatMap(one => [
    paragraph(page, safe`${titleOf(one)}`),
    `  ${paragraph(page, whereOf(page, one), 2)}`,
    ...textOf(page, one),
  ])
  return lines(...entries, counted(notifications.length, 'notification'))
}
