/**
 * The log of a device as its lines, each once: when the link is lost, when logcat ends, or when the reader was too slow, it is
 * read anew from the last line on. What the device has lost by then is told as a gap.
 */

import {
  LOG_LEVELS,
  type LogGap,
  type LogLevelName,
  type LogLine,
  type LogPosition,
  type LogStart,
} from '../../contracts/device/logs.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { type CallOptions, type Link, LinkError } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { createLogApps } from './log-apps.ts'
import { createPlace, type PlacedRecord } from './log-place.ts'
import { createRecordReader, createTimeText, type LogRecord, levelOf, rankOf, wordsOf } from './log-records.ts'
import { APPS_COMMAND, askHead, isSameBoot, openSource, placeOf, type SourceEnd } from './log-source.ts'

export interface LogOptions {
  clock: Clock
  /** The present link to the device, or a new one when it was lost. */
  link(call: CallOptions): Promise<Link>
  /** Stays, and goes on with what will be logged. */
  isFollowing: boolean
  /** Left out: with what is logged from now on. */
  start?: LogStart | undefined
  /** Goes on behind this line, whatever `start` says. */
  after?: LogPosition | undefined
  app?: string | undefined
  level?: LogLevelName | undefined
  /** Ends it, with the logcat on the device. */
  signal: AbortSignal
}

export interface NumberedLine {
  line: LogLine
  at: LogPosition
}

export interface LogStep {
  /** Told before the lines. */
  gap?: LogGap
  lines: readonly NumberedLine[]
  /** The last line that was read, wanted or not. */
  at: LogPosition
}

/** How long a device that has gone is waited for: a phone that starts again needs a minute. */
export const LOG_RETURN_MS = 120_000
const OPEN_MS = 20_000
const PAUSES_MS = { first: 250, most: 5_000 } as const
/** A logcat that ends sooner without a line does not work there. */
const SHORT_MS = 2_000
const SHORT_ENDS_MAX = 5
/** The place in the log is found at once, or the log is quiet. */
const QUIET_MS = 300
const REFRESH_MS = 2_000

/** Before Android 11, logd told in a line of its own how many of a noisy process it threw away. */
const DROPPED = /^chatty\0.*\bexpire \d+ lines?\b/
const FIRST_OF_DROPPED = 'c'.charCodeAt(0)
const NOTICE_CHARS = 200
const isDropNotice = ({ payload }: LogRecord): boolean =>
  payload[1] === FIRST_OF_DROPPED && DROPPED.test(payload.toString('latin1', 1, NOTICE_CHARS))

/** Another attempt may help; everything else is told at once. */
const PASSING: readonly string[] = [
  'ADB_SERVER_FAILED',
  'DEVICE_LINK_LOST',
  'DEVICE_NOT_FOUND',
  'DEVICE_OFFLINE',
  'LINK_TIMEOUT',
]
const isPassing = (error: unknown): boolean => error instanceof LinkError && PASSING.includes(error.code)

/** `at` is the place before the first line. */
export type OpenedLog = { ok: true; at: LogPosition; steps: AsyncGenerator<LogStep> } | { ok: false; missing: string }

/** Resolves once the log is being read; rejects with LinkError. The steps end with the signal, or with LinkError. */
export const openLog = async (options: LogOptions): Promise<OpenedLog> => {
  const { clock, isFollowing, app, level, signal } = options
  const apps = createLogApps()
  const timeText = createTimeText()
  const lowest = level === undefined ? 0 : LOG_LEVELS.indexOf(level)
  let refreshedAt = Number.NEGATIVE_INFINITY
  let last: LogRecord | undefined

  const within = (ms: number): CallOptions => ({ deadline: clock.now() + ms, signal })

  /** Opens logcat behind this place; after the device has started again, with all that it has. */
  const openAt = async (place: LogPosition | undefined) => {
    const call = within(OPEN_MS)
    const link = await options.link(call)
    const head = await askHead(link, call)
    apps.learn(head.apps)
    const isAgain = place !== undefined && isSameBoot(place.boot, head.boot)
    const at = isAgain ? place : placeOf(place === undefined ? options.start : { kind: 'boot' }, head)
    const source = await openSource(link, { clock, at, isFollowing }, call)
    if (signal.aborted) source.close()
    return { link, source, at, lostFrom: place && !isAgain ? place : undefined }
  }
  type Opened = Awaited<ReturnType<typeof openAt>>

  /** A log that ended or was lost is opened anew after a pause; one whose reader was too slow, at once. */
  const reopen = async (place: LogPosition, end: SourceEnd): Promise<Opened | undefined> => {
    const since = clock.elapsed()
    for (let tries = 0; !signal.aborted; tries++) {
      if (tries > 0 || end.kind !== 'behind')
        await pause(clock, Math.min(PAUSES_MS.first * 2 ** tries, PAUSES_MS.most), signal)
      if (signal.aborted) break
      try {
        return await openAt(place)
      } catch (error) {
        if (signal.aborted) break
        if (!isPassing(error) || clock.elapsed() - since >= LOG_RETURN_MS) throw error
      }
    }
    return undefined
  }

  const refresh = async (link: Link) => {
    if (clock.elapsed() - refreshedAt < REFRESH_MS) return
    refreshedAt = clock.elapsed()
    const reply = link.shell(APPS_COMMAND, { ...within(REFRESH_MS), maxBytes: OUTPUT_BYTES_MAX.report })
    await reply.then(({ stdout }) => apps.learn(stdout)).catch(() => {})
  }

  const lineOf = (record: LogRecord, applicationId: string | undefined): LogLine => ({
    time: timeText(record),
    pid: record.pid,
    tid: record.tid,
    ...(record.uid === undefined ? {} : { uid: record.uid }),
    level: levelOf(record),
    ...wordsOf(record),
    ...(applicationId === undefined ? {} : { applicationId }),
  })

  /** The steps that these records make: a gap ends the one before it. */
  const stepsOf = async (records: readonly PlacedRecord[], gap: LogGap | undefined, link: Link): Promise<LogStep[]> => {
    const steps: LogStep[] = []
    let lines: NumberedLine[] = []
    let pendingGap = gap
    const end = (at: LogPosition) => {
      steps.push({ ...(pendingGap ? { gap: pendingGap } : {}), lines, at })
      lines = []
      pendingGap = undefined
    }
    for (const { record, at } of records) {
      apps.hear(record)
      if (apps.isNews(record)) await refresh(link)
      const applicationId = apps.applicationOf(record)
      if (app === undefined || applicationId === app) {
        if (isDropNotice(record)) {
          if (lines.length > 0 || pendingGap) end(at)
          pendingGap = { from: timeText(last ?? record), to: timeText(record) }
        } else if (rankOf(record) >= lowest) lines.push({ line: lineOf(record, applicationId), at })
      }
      last = record
    }
    const at = records.at(-1)?.at
    if (at) end(at)
    return steps
  }

  async function* steps(first: Opened): AsyncGenerator<LogStep> {
    let opened: Opened | undefined = first
    let at = first.at
    let shortEnds = 0
    const close = () => opened?.source.close()

    /** Reads one logcat to its end. */
    async function* stepsOfOne({
      source,
      link,
      at: start,
      lostFrom: lost,
    }: Opened): AsyncGenerator<LogStep, { end: SourceEnd; isUseful: boolean }> {
      const place = createPlace(start)
      const read = createRecordReader()
      let lostFrom = lost
      let isUseful = false
      for (;;) {
        const taken = await source.take(place.isHolding() ? QUIET_MS : undefined)
        const found =
          taken.kind === 'chunk' ? [...read(taken.chunk)].map(record => place.take(record)) : [place.giveUp()]
        if (found.some(({ isLost }) => isLost)) lostFrom = at
        const records = found.flatMap(placed => placed.records)
        const [next] = records
        const gap = lostFrom && next ? { from: timeText(lostFrom), to: timeText(next.record) } : undefined
        if (gap) lostFrom = undefined
        for (const step of await stepsOf(records, gap, link)) {
          isUseful = true
          at = step.at
          yield step
          if (signal.aborted) break
        }
        if (taken.kind !== 'chunk' && taken.kind !== 'idle') return { end: taken, isUseful }
        if (signal.aborted) return { end: { kind: 'ended' }, isUseful }
      }
    }

    signal.addEventListener('abort', close, { once: true })
    try {
      while (opened && !signal.aborted) {
        const openedAt = clock.elapsed()
        const { end, isUseful } = yield* stepsOfOne(opened)
        if (signal.aborted || (end.kind === 'ended' && !isFollowing)) return
        if (end.kind === 'lost' && !isPassing(end.error)) throw end.error
        shortEnds = isUseful || clock.elapsed() - openedAt > SHORT_MS ? 0 : shortEnds + 1
        if (shortEnds >= SHORT_ENDS_MAX)
          throw new LinkError('DEVICE_SHELL_UNAVAILABLE', 'the log reader of the device ends as soon as it is started')
        opened = await reopen(at, end)
      }
    } finally {
      signal.removeEventListener('abort', close)
      close()
    }
  }

  const first = await openAt(options.after)
  if (app !== undefined && !apps.isInstalled(app)) {
    first.source.close()
    return { ok: false, missing: app }
  }
  return { ok: true, at: first.at, steps: steps(first) }
}
