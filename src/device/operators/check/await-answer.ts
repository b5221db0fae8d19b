/** Waits in the log for the whole answer to a request that was sent. */

import { ENVELOPE_GRACE_MS } from '../../../contracts/limits/limits.ts'
import type { Clock } from '../../../runtime/clock.ts'
import { LinkError } from '../../link/link.ts'
import { Breach } from './breach.ts'
import type { CheckLog } from './follow-log.ts'
import { type Expected, judgeText, type StrictEnvelope } from './judge-envelope.ts'
import { answersIn } from './read-answer.ts'

export interface Answer {
  envelope: StrictEnvelope
  text: string
  /** 0 for one that came whole. */
  chunks: number
  tookMs: number
}

/** A request on its way. */
export interface Sent {
  expected: Expected
  timeoutMs: number
  /** When it left, on the clock that never goes back. */
  at: number
}

interface AwaitOptions {
  clock: Clock
  signal: AbortSignal
  log: CheckLog
  /** The so-manieth answer to the same wire id. */
  count: number
}

const incomplete = (lines: number) =>
  new Breach(
    `The result stayed incomplete: ${lines} of its chunks came.`,
    'Write every chunk, and pace them so that the log buffer drops none.',
  )

/** Undefined when nothing of it came in time. Rejects with a Breach, and with a LinkError when the device cannot be read. */
export const awaitAnswer = (sent: Sent, { clock, signal, log, count }: AwaitOptions): Promise<Answer | undefined> =>
  new Promise((resolve, reject) => {
    const { expected, timeoutMs, at } = sent
    const awaited = { wireId: expected.commandId, nonce: expected.nonce }
    const stops: (() => void)[] = []
    const end = (act: () => void) => {
      for (const stop of stops) stop()
      act()
    }
    const look = () => {
      try {
        const answer = answersIn(log.of(awaited.wireId), awaited)[count - 1]
        const lost = signal.aborted ? new LinkError('LINK_CANCELLED', 'the check was cancelled') : log.ended()
        if (answer) {
          const envelope = judgeText(answer.text, expected)
          end(() => resolve({ ...answer, envelope, tookMs: clock.elapsed() - at }))
        } else if (lost) end(() => reject(lost))
      } catch (error) {
        end(() => reject(error))
      }
    }
    const timeUp = () => {
      const lines = log.of(awaited.wireId).length
      end(() => (lines === 0 ? resolve(undefined) : reject(incomplete(lines))))
    }
    stops.push(log.onChange(look))
    const leftMs = timeoutMs + ENVELOPE_GRACE_MS - (clock.elapsed() - at)
    const timer = clock.at(clock.now() + leftMs, timeUp)
    stops.push(() => timer.cancel())
    signal.addEventListener('abort', look, { once: true })
    stops.push(() => signal.removeEventListener('abort', look))
    look()
  })
