/** The wait for one result from a device's log, from before its request leaves until it is given up. */
import type { CallOptions } from '../../adb/link.ts'
import { type Clock, type Moment, momentOf, type Timer } from '../../runtime/clock.ts'
import type { WireResult } from '../wire/wire-result.ts'
import type { Ending, Wait } from './log-waits.ts'

export interface LastLook {
  verdict: WireResult | undefined
  /** False when the device cannot be asked: the reader is down and the log cannot be read back either. */
  reachable: boolean
  lines: string[]
}

export interface LogWait {
  /** Never rejects. Stays pending for a result that never comes: the caller has a deadline of its own. */
  ending: Promise<Ending>
  /** The request is about to leave, or has left then. */
  dispatched(since?: Moment): void
  /** Marks that the request may not have arrived: the log is read back, or the device given up. */
  doubt(): void
  /** Reads the log back a last time, and says what is known by then. `since` is when a request left that was not to be answered here. */
  conclude(deadline: number, since?: Moment): Promise<LastLook>
  close(): void
}

export interface LogWaitOptions {
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
    dispatched(since = momentOf(clock)) {
      wait.since = since
      if (!options.isProven()) timer = clock.at(clock.now() + FIRST_LOOK_MS, firstLook)
      options.onDispatched()
    },
    doubt: options.onDoubt,
    async conclude(deadline, since) {
      wait.since ??= since
      const looked = await look({ deadline, signal }).catch(() => undefined)
      options.conclude(wireId)
      return {
        verdict: wait.ended?.kind === 'lost' ? undefined : wait.ended,
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
