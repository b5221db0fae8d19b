/** The results that are awaited from one device's log, and the last lines that were seen there. */

import type { Outcome } from '../../../../contracts/outcome.ts'
import { type Clock, type ClockReading, readClock, type Timer } from '../../../../runtime/clock.ts'
import { type Deferred, deferred } from '../../../link/bounded.ts'
import type { CallOptions } from '../../../link/link.ts'
import type { Awaited } from '../segment-request.ts'
import { createAssembler, type FoundResult, isWireResult, type LogFeed } from '../wire/assembler.ts'
import type { WireResult } from '../wire/messages.ts'
import type { OnStepEnd } from '../wire/progress.ts'

/** The device, or the operator on it, cannot be reached any more. */
type LinkLost = Outcome<never, never, { code: 'DEVICE_LINK_LOST'; reason: string }>

export type ResultWaitEnd = WireResult | LinkLost

export const linkLost = (reason: string): LinkLost => ({ kind: 'unknown', code: 'DEVICE_LINK_LOST', reason })

export interface Wait {
  awaited: Awaited
  /** When its request left; undefined as long as it has not. */
  since: ClockReading | undefined
  ended: ResultWaitEnd | undefined
  ending: Deferred<ResultWaitEnd>
}

const LINES_KEPT = 10
const LINE_CHARS_KEPT = 300

/** Keeps the last few lines, short enough for an error. */
export const createLineTail = () => {
  const lines: string[] = []
  return {
    lines: (): string[] => [...lines],
    add(line: string) {
      lines.push(line.slice(0, LINE_CHARS_KEPT))
      if (lines.length > LINES_KEPT) lines.shift()
    },
  }
}

interface LogWaitsOptions {
  /** The last chunk of a result is there and another is not. */
  onGap: (wireId: string) => void
  /** A line of a result was damaged. */
  onDamage: (wireId: string) => void
}

export const createLogWaits = ({ onGap, onDamage }: LogWaitsOptions) => {
  const assembler = createAssembler()
  const waits = new Map<string, Wait>()

  const settle = (wireId: string, ending: ResultWaitEnd) => {
    const wait = waits.get(wireId)
    if (!wait) return
    wait.ended = ending
    wait.ending.resolve(ending)
    waits.delete(wireId)
  }
  const hear = (findings: readonly FoundResult[]) => {
    for (const { wireId, step } of findings) {
      if (isWireResult(step)) settle(wireId, step)
      else if (step.kind === 'gap') onGap(wireId)
      else onDamage(wireId)
    }
  }

  return {
    count: () => waits.size,
    add(awaited: Awaited, onStepEnd?: OnStepEnd): Wait {
      const wait: Wait = { awaited, since: undefined, ended: undefined, ending: deferred() }
      waits.set(awaited.wireId, wait)
      assembler.expect(awaited, onStepEnd)
      return wait
    },
    remove(wireId: string) {
      waits.delete(wireId)
      assembler.forget(wireId)
    },
    /** When the oldest request that still has no result left for the device. */
    since: (): ClockReading | undefined => {
      const moments = [...waits.values()].flatMap(({ since }) => since ?? [])
      return moments.sort((a, b) => a.elapsed - b.elapsed)[0]
    },
    /** Opens the input for one reading of the log. */
    feed(onLine: (text: string) => void): { push(bytes: Uint8Array): void; end(): void } {
      const feed: LogFeed = assembler.feed(onLine)
      return { push: bytes => hear(feed.push(bytes)), end: () => hear(feed.end()) }
    },
    isComing: assembler.isComing,
    /** Nothing more will be read for it: a trace of it makes a malformed result, none leaves the wait as it is. */
    conclude(wireId: string) {
      if (!waits.has(wireId)) return
      const result = assembler.conclude(wireId)
      if (result) settle(wireId, result)
    },
    loseAll(reason: string) {
      for (const wireId of [...waits.keys()]) {
        assembler.forget(wireId)
        settle(wireId, linkLost(reason))
      }
    },
  }
}

export interface LastLook {
  result: WireResult | undefined
  /** False when the device cannot be asked: the reader is down and the log cannot be read back either. */
  reachable: boolean
  lines: string[]
}

export interface LogWait {
  /** Never rejects. Stays pending for a result that never comes: the caller has a deadline of its own. */
  ending: Promise<ResultWaitEnd>
  /** The request is about to leave, or has left then. */
  dispatched(since?: ClockReading): void
  /** Marks that the request may not have arrived: the log is read back, or the device given up. */
  doubt(): void
  /** Reads the log back a last time, and says what is known by then. `since` is when a request left that was not to be answered here. */
  conclude(deadline: number, since?: ClockReading): Promise<LastLook>
  close(): void
}

interface LogWaitOptions {
  clock: Clock
  signal: AbortSignal
  look: (options: CallOptions) => Promise<string[]>
  looksWithin: number
  isLive: () => boolean
  /** True once the reader has shown a line, and so will show all that follow. */
  isProven: () => boolean
  conclude: (wireId: string) => void
  lastLines: () => string[]
  onDispatched: () => void
  onDoubt: () => void
  onClosed: (wireId: string) => void
}

/**
 * A reader is open before it has attached to the log, and what was logged in between is not in it. Until a reader has
 * shown a line, a result that is this late is looked for once in what was logged already.
 */
const FIRST_LOOK_MS = 1_000

export const openWait = (wait: Wait, options: LogWaitOptions): LogWait => {
  const { clock, look, signal } = options
  const { wireId } = wait.awaited
  let timer: Timer | undefined

  const firstLook = () => {
    if (!options.isProven()) look({ deadline: clock.now() + options.looksWithin, signal }).catch(() => {})
  }

  return {
    ending: wait.ending.promise,
    dispatched(since = readClock(clock)) {
      wait.since = since
      if (!options.isProven()) timer = clock.at(clock.now() + FIRST_LOOK_MS, firstLook)
      options.onDispatched()
    },
    doubt: options.onDoubt,
    async conclude(deadline, since) {
      wait.since ??= since
      const looked = await look({ deadline, signal }).catch(() => undefined)
      options.conclude(wireId)
      const { ended } = wait
      return {
        result: ended?.kind === 'unknown' && ended.code === 'DEVICE_LINK_LOST' ? undefined : ended,
        reachable: looked !== undefined || options.isLive(),
        lines: looked?.length ? looked : options.lastLines(),
      }
    },
    close() {
      timer?.cancel()
      options.onClosed(wireId)
    },
  }
}
