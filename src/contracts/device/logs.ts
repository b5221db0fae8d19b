/** The log of a device: its lines, what may be asked of it, and positions in it. */
import * as v from 'valibot'
import { openObject } from '../json/objects.ts'
import { count } from '../json/scalars.ts'
import { LOG_LINES, LOG_WAIT_MS_MAX } from '../limits/log-limits.ts'

export const LOG_LEVELS = ['verbose', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevelName = (typeof LOG_LEVELS)[number]

/** A relative `since` reaches back no further. */
const SINCE_DAYS_MAX = 365

export const LogLine = openObject({
  /** By the clock of the device, in UTC with microseconds. */
  time: v.string(),
  pid: count,
  tid: count,
  /** Absent where the device does not tell. */
  uid: v.exactOptional(count),
  level: v.picklist(LOG_LEVELS),
  tag: v.string(),
  /** May have several lines. */
  message: v.string(),
  /** The application that wrote it, as far as that is known. */
  applicationId: v.exactOptional(v.string()),
})
export type LogLine = v.InferOutput<typeof LogLine>

/** Lines between these times may be missing: the device no longer had them when they could be read. */
export const LogGap = openObject({ from: v.string(), to: v.string() })
export type LogGap = v.InferOutput<typeof LogGap>

const PACKAGE = /^[A-Za-z]\w*(?:\.\w+)*$/

/** Undefined for a word that is no level. */
export const levelNamed = (word: string): LogLevelName | undefined =>
  LOG_LEVELS.find(level => level === word || level[0] === word.toLowerCase())
const LEVEL = /^(?:verbose|debug|info|warn|error|fatal|[vdiwefVDIWEF])$/

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Where to begin: with what the device has had since it started, so many ms ago, or at a time of the device's clock. */
export type LogStart = { kind: 'boot' } | { kind: 'ago'; ms: number } | { kind: 'at'; ms: number }

const ISO = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?$/

const START = new RegExp(`^(?:boot|\\d{1,9}[smhd]|${ISO.source.slice(1, -1)})$`)

/** Undefined for a text that is no start. A time without a zone is UTC. */
export const startNamed = (text: string): LogStart | undefined => {
  if (text === 'boot') return { kind: 'boot' }
  const [, number, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  if (number !== undefined) {
    const ms = Number(number) * (UNITS[unit] ?? 0)
    return ms <= SINCE_DAYS_MAX * (UNITS.d ?? 0) ? { kind: 'ago', ms } : undefined
  }
  if (!ISO.test(text)) return undefined
  const hasZone = text.length <= 'yyyy-mm-dd'.length || /(?:[Zz]|[+-]\d\d:?\d\d)$/.test(text)
  const ms = Date.parse(`${text.replace(' ', 'T')}${hasZone ? '' : 'Z'}`)
  return Number.isNaN(ms) || ms < 0 ? undefined : { kind: 'at', ms }
}

/** A line of the log by which a reader goes on: its boot, its time, its thread, and which of those alike it is. */
export interface LogPosition {
  /** The beginning of the id of the device's boot; `0` where it does not tell. */
  boot: string
  sec: number
  nsec: number
  tid: number
  /** 1 for the first with this time and thread; 0 before every line of that time. */
  nth: number
}

const POSITION = /^([0-9a-f]{8}|0)-(\d{1,10})\.(\d{9})-(\d{1,10})-(\d{1,6})$/
const NSEC_DIGITS = 9

export const logPositionText = ({ boot, sec, nsec, tid, nth }: LogPosition): string =>
  `${boot}-${sec}.${String(nsec).padStart(NSEC_DIGITS, '0')}-${tid}-${nth}`

export const readLogPosition = (text: string): LogPosition | undefined => {
  const [, boot, sec, nsec, tid, nth] = POSITION.exec(text) ?? []
  if (boot === undefined) return undefined
  return { boot, sec: Number(sec), nsec: Number(nsec), tid: Number(tid), nth: Number(nth) }
}

const wholeNumber = (min: number, max: number) => {
  const message = `must be an integer from ${min} to ${max}`
  return v.pipe(
    v.string(),
    v.regex(/^\d{1,9}$/, message),
    v.transform(Number),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

const LEVEL_PROBLEM = `must be one of ${LOG_LEVELS.join(', ')}, or its first letter`
const START_PROBLEM = 'must be a time ago such as 10m (s, m, h, d; at most 365d), an ISO time, or boot'

const choosing = {
  /** Lines of this application only, also after it was started again. */
  app: v.exactOptional(v.pipe(v.string(), v.regex(PACKAGE, 'must be a package name such as com.example.notes'))),
  /** Lines of this level and of more serious ones. */
  level: v.exactOptional(v.pipe(v.string(), v.regex(LEVEL, LEVEL_PROBLEM))),
  since: v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(START, START_PROBLEM),
      v.check(word => startNamed(word) !== undefined, START_PROBLEM),
    ),
  ),
}

export const LogsQuery = openObject(choosing)
export type LogsQuery = v.InferOutput<typeof LogsQuery>

export const LogLinesQuery = openObject({
  ...choosing,
  limit: v.exactOptional(wholeNumber(1, LOG_LINES.max)),
  /** Says which lines are answered where there are more than the limit. Left out, they are the last ones, and with `after` the first. */
  take: v.exactOptional(v.picklist(['first', 'last'], 'must be first or last')),
  /** The position of an answer before: only what came since. */
  after: v.exactOptional(v.pipe(v.string(), v.regex(POSITION, 'must be the position of an answer before'))),
  /** With `after`: waits so long for the first line. */
  waitMs: v.exactOptional(wholeNumber(0, LOG_WAIT_MS_MAX)),
})
export type LogLinesQuery = v.InferOutput<typeof LogLinesQuery>

/** With its position: a reader can go on behind each line. */
export const PlacedLogLine = openObject({ ...LogLine.entries, position: v.string() })
export type PlacedLogLine = v.InferOutput<typeof PlacedLogLine>

export const LogLinesResponse = openObject({
  ok: v.literal(true),
  /** Oldest first. */
  lines: v.array(PlacedLogLine),
  count,
  /** True where more lines fit than the answer has. */
  more: v.boolean(),
  /** The last line that was read: for `after`, or for Last-Event-ID of the stream. */
  position: v.string(),
  gap: v.exactOptional(LogGap),
})
export type LogLinesResponse = v.InferOutput<typeof LogLinesResponse>
