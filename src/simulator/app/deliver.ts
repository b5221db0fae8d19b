/** Brings an envelope to the caller: over their socket while it is open, else as lines of the device log. */
import { LOG_TAG } from '../../contracts/operator.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import type { PhoneLog } from '../phone-parts.ts'
import type { FaultKind } from '../scenario/fault.ts'
import type { AnsweredEnvelope } from './envelope.ts'
import { resultFrames, resultLines } from './result-lines.ts'
import type { Session } from './session.ts'

/** After so many lines the log gets a moment to be read, so that its buffer does not drop any. */
export interface Pace {
  lines: number
  ms: number
}
export const DEFAULT_PACE: Pace = { lines: 16, ms: 2 }

export interface Delivery {
  envelope: AnsweredEnvelope
  faulty: ReadonlySet<FaultKind>
  /** Undefined for a request that came as a broadcast. */
  session: Session | undefined
}

export interface DeliverOptions {
  log: PhoneLog
  clock: Clock
  pace: Pace
  signal: AbortSignal
}

export const deliver = async ({ envelope, faulty, session }: Delivery, options: DeliverOptions): Promise<void> => {
  const { log, clock, pace, signal } = options
  const json = JSON.stringify(envelope)
  if (session?.isOpen()) {
    for (const frame of resultFrames(json, envelope, faulty)) session.send(frame)
    return
  }
  for (const [index, line] of resultLines(json, envelope, faulty).entries()) {
    if (index > 0 && index % pace.lines === 0) await pause(clock, pace.ms, signal)
    if (signal.aborted) return
    log.write('I', LOG_TAG, line)
  }
}
