/** Runs all checks in their order, within a bound, and leaves the phone on its home screen. */

import { messageOf } from '../../../runtime/message-of.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import { LinkError } from '../../link/link.ts'
import { type BenchOptions, type CheckBench, openBench } from './bench.ts'
import { Breach, LeftOut } from './breach.ts'
import { runVector, type Vector } from './vector.ts'
import { SCREEN_VECTORS, STEP_VECTORS } from './vectors/actions.ts'
import { CAPABILITY_VECTORS } from './vectors/capabilities.ts'
import { EFFECT_VECTORS } from './vectors/effects.ts'
import { CLOSING_VECTORS, MESSAGE_VECTORS, REFUSAL_VECTORS } from './vectors/messages.ts'
import { SOCKET_VECTORS } from './vectors/sockets.ts'

/** In the order in which they are asked. */
export const VECTORS: readonly Vector[] = [
  ...MESSAGE_VECTORS,
  ...REFUSAL_VECTORS,
  ...STEP_VECTORS,
  ...SCREEN_VECTORS,
  ...EFFECT_VECTORS,
  ...SOCKET_VECTORS,
  ...CAPABILITY_VECTORS,
  ...CLOSING_VECTORS,
]

export interface CheckResult {
  id: string
  held: boolean
  detail: string
}

export interface CheckReport {
  checks: CheckResult[]
  held: number
  all: number
  /** Not tried, and so not among the checks. */
  leftOut: { id: string; reason: string }[]
}

/** Checks that have not begun by then are left out. */
const CHECKS_MS = 10 * 60_000
const SILENCES_MAX = 3
const UNREACHED_MAX = 2
const HOME = commandLine('input', 'keyevent', 'KEYCODE_HOME')

/** Why nothing further can be learned. */
const endOf = (bench: CheckBench, until: number, unreached: number): string | undefined => {
  if (unreached >= UNREACHED_MAX) return `The phone could not be reached ${UNREACHED_MAX} times in a row.`
  if (bench.silences() >= SILENCES_MAX) return `The app did not answer ${SILENCES_MAX} requests in a row.`
  if (bench.clock.elapsed() >= until) return `The time of the check, ${CHECKS_MS / 60_000} minutes, is over.`
  return undefined
}

type Outcome = { held: boolean; detail: string; unreached?: true } | { leftOut: string }

const outcomeOf = async (vector: Vector, bench: CheckBench): Promise<Outcome> => {
  try {
    return { held: true, detail: await runVector(vector, bench) }
  } catch (error) {
    if (bench.signal.aborted) throw error
    if (error instanceof LeftOut) return { leftOut: error.message }
    if (error instanceof Breach) return { held: false, detail: error.message }
    if (!(error instanceof LinkError)) throw error
    return {
      held: false,
      detail: `The phone could not be reached (${error.code}: ${messageOf(error)}). Check the connection, and that the app ends no debugging; then check again.`,
      unreached: true,
    }
  }
}

/** Rejects when the check is cancelled. */
export const runChecks = async (options: BenchOptions, vectors: readonly Vector[] = VECTORS): Promise<CheckReport> => {
  const bench = openBench(options)
  const until = bench.clock.elapsed() + CHECKS_MS
  const results: CheckResult[] = []
  let unreached = 0
  const leftOut: CheckReport['leftOut'] = []
  try {
    for (const vector of vectors) {
      const { id } = vector
      const end = endOf(bench, until, unreached)
      const outcome: Outcome = end === undefined ? await outcomeOf(vector, bench) : { leftOut: end }
      if ('leftOut' in outcome) {
        leftOut.push({ id, reason: outcome.leftOut })
        continue
      }
      const { held, detail } = outcome
      unreached = outcome.unreached ? unreached + 1 : 0
      results.push({ id, held, detail })
    }
  } finally {
    await bench.leave(HOME)
  }
  return { checks: results, held: results.filter(({ held }) => held).length, all: results.length, leftOut }
}
