/** The one log reader of a device: opened before the first dispatch, kept open, opened again when it dies. It never clears the log. */

import { LOG_TAG } from '../../../../contracts/device/operator.ts'
import { ageMs, type Clock, type ClockReading } from '../../../../runtime/clock.ts'
import { messageOf } from '../../../../runtime/message-of.ts'
import { commandLine } from '../../../../runtime/text/quote.ts'
import { type CallOptions, type Link, LinkError, type LinkStream } from '../../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../../link/link-limits.ts'
import type { Awaited } from '../segment-request.ts'
import { createAssembler, isWireResult } from '../wire/assembler.ts'
import type { WireResult } from '../wire/messages.ts'
import type { OnStepEnd } from '../wire/progress.ts'
import { createLineTail, createLogWaits, type LogWait, openWait } from './log-waits.ts'
import { createReconnection } from './reconnect.ts'

export interface LogReader {
  /** Resolves once the log is being read on the present link, which it hands out. */
  open(options: CallOptions): Promise<Link>
  /** To be called before the request leaves. `onStepEnd` hears which of its steps have ended, as often as the log tells it. */
  expect(awaited: Awaited, onStepEnd?: OnStepEnd): LogWait
  /**
   * Reads the log back for one request that nobody waits for, and leaves alone what is awaited. Undefined where the log holds
   * no trace of its result. Rejects with LinkError.
   */
  find(request: LoggedRequest, options: CallOptions): Promise<WireResult | undefined>
  lastLines(): string[]
  close(): void
}

export interface LoggedRequest {
  awaited: Awaited
  /** When it left. */
  since: ClockReading
  onStepEnd: OnStepEnd
}

export interface LogReaderOptions {
  clock: Clock
  /** The present link to the device, or a new one when it was lost. */
  link: (options: CallOptions) => Promise<Link>
}

/** How long a device that was lost after a dispatch is tried for: a debug bridge finds one again within ten seconds. */
const RELINK_MS = 10_000
const ATTEMPT_MS = 3_000
const LOOK_MS = 2_000
/** The time in which the lines after a damaged one may still bring the whole result. */
const DAMAGE_GRACE_MS = 1_000

const FORM = ['-b', 'main', '-v', 'raw'] as const
const FILTER = [`${LOG_TAG}:I`, '*:S'] as const

const FOLLOW_LOG = commandLine('logcat', ...FORM, '-T', '1', ...FILTER)
const DEVICE_TIME = commandLine('date', '+%s')

/** Both clocks are read to the second, and a device may set its own in between. */
const SLACK_MS = 3_000

/**
 * The moment `since` of the host on the clock of the device, in the form that `logcat -T` takes and that does not depend on the
 * device's time zone. Asked when it is needed: it costs an ordinary execution nothing, and is right after a restart too.
 */
const deviceTimeOf = async (link: Link, clock: Clock, since: ClockReading, options: CallOptions) => {
  const { exitCode, stdout } = await link.shell(DEVICE_TIME, { ...options, maxBytes: OUTPUT_BYTES_MAX.word })
  const seconds = /^\s*(\d{1,12})\s*$/.exec(stdout)?.[1]
  if (exitCode !== 0 || seconds === undefined) return undefined
  const at = Number(seconds) * 1_000 - ageMs(clock, since) - SLACK_MS
  return `${Math.max(0, Math.floor(at / 1_000))}.000`
}

/** All there is in the log since then; the whole log when the device cannot tell the time. */
const readBack = async (link: Link, clock: Clock, since: ClockReading, options: CallOptions): Promise<Uint8Array> => {
  const time = await deviceTimeOf(link, clock, since, options)
  const from = time === undefined ? [] : ['-T', time]
  const command = commandLine('logcat', '-d', ...FORM, ...from, ...FILTER)
  return link.exec(command, { ...options, maxBytes: OUTPUT_BYTES_MAX.raw })
}

export const createLogReader = ({ clock, link }: LogReaderOptions): LogReader => {
  const life = new AbortController()
  const tail = createLineTail()
  const waits = createLogWaits({
    onGap: wireId => void lookAgain(wireId),
    onDamage: wireId => void clock.at(clock.now() + DAMAGE_GRACE_MS, () => void lookAgain(wireId), { idle: true }),
  })
  let live: { link: Link; stream: LinkStream; proven: boolean } | undefined
  let opening: Promise<unknown> = Promise.resolve()
  let doubtful = false

  const within = (ms: number): CallOptions => ({ deadline: clock.now() + ms, signal: life.signal })

  /** Reads the log back for all that is awaited, and hands out the last lines that were there. */
  const look = async (options: CallOptions): Promise<string[]> => {
    const since = waits.since()
    if (since === undefined || life.signal.aborted) return []
    const bytes = await readBack(await link(options), clock, since, options)
    const seen = createLineTail()
    const feed = waits.feed(seen.add)
    feed.push(bytes)
    feed.end()
    return seen.lines()
  }

  /** Reads the log back once more; a result that is still incomplete then never will be complete. */
  const lookAgain = async (wireId: string) => {
    const looked = await look(within(LOOK_MS)).catch(() => undefined)
    if (looked && !waits.isComing(wireId)) waits.conclude(wireId)
  }

  const follow = async (mine: NonNullable<typeof live>) => {
    const feed = waits.feed(line => {
      mine.proven = true
      tail.add(line)
    })
    try {
      for await (const bytes of mine.stream.chunks) feed.push(bytes)
    } catch {
      // A reader that fails has ended, whatever the reason.
    }
    feed.end()
    mine.stream.close()
    if (live !== mine) return
    live = undefined
    recovery.start()
  }

  const openNow = async (options: CallOptions): Promise<Link> => {
    const on = await link(options)
    if (live?.link === on) return on
    const stream = await on.stream(FOLLOW_LOG, options)
    if (life.signal.aborted) {
      stream.close()
      throw new LinkError('LINK_CANCELLED', 'the log reader was closed')
    }
    live?.stream.close()
    live = { link: on, stream, proven: false }
    void follow(live)
    return on
  }

  const open = (options: CallOptions): Promise<Link> => {
    const opened = opening.then(() => openNow(options))
    opening = opened.catch(() => {})
    return opened
  }

  /** Only for requests that are out: a reader that dies with nothing awaited is opened before the next dispatch. */
  const recovery = createReconnection({
    clock,
    hopelessMs: RELINK_MS,
    isNeeded: () => waits.since() !== undefined && (!live || doubtful) && !life.signal.aborted,
    attempt: async () => {
      doubtful = true
      await open(within(ATTEMPT_MS))
      await look(within(ATTEMPT_MS))
      doubtful = false
    },
    onHopeless: error => {
      if (!live) waits.loseAll(messageOf(error))
    },
  })

  return {
    open,
    expect: (awaited, onStepEnd) =>
      openWait(waits.add(awaited, onStepEnd), {
        clock,
        look,
        looksWithin: LOOK_MS,
        isLive: () => live !== undefined,
        isProven: () => live?.proven ?? false,
        onDispatched: () => recovery.start(),
        onDoubt: () => {
          doubtful = true
          recovery.start()
        },
        conclude: waits.conclude,
        lastLines: tail.lines,
        onClosed: wireId => {
          waits.remove(wireId)
          if (waits.since() === undefined) doubtful = false
          recovery.wake()
        },
        signal: life.signal,
      }),
    async find({ awaited, since, onStepEnd }, options) {
      const assembler = createAssembler()
      assembler.expect(awaited, onStepEnd)
      const feed = assembler.feed()
      const bytes = await readBack(await link(options), clock, since, options)
      const result = [...feed.push(bytes), ...feed.end()].map(({ step }) => step).find(isWireResult)
      return result ?? assembler.conclude(awaited.wireId)
    },
    lastLines: tail.lines,
    close() {
      life.abort()
      recovery.wake()
      live?.stream.close()
      live = undefined
    },
  }
}
