/** Recordings of screens beside the requests of a plan: begun, stopped by anybody, and screens that are turned meanwhile. */
import { createRandom } from '../../long/trial/random.ts'
import { ASKS_UNTIL_MS, FAULTS_UNTIL_MS, type Place, type Plan } from '../plan/plan.ts'
import { seedOf } from '../scheduler.ts'

export interface RecordAsk {
  at: number
  place: Place
  phone: number
  forMs: number
  /** Stopped so long after it was asked for, at that place; else it ends by itself, or in the calm. */
  stopAfterMs?: number
  stopAt?: Place
}

export interface Turn {
  at: number
  phone: number
  /** Quarter turns. */
  rotation: number
}

const RECORDINGS_MAX = 3
const TURNS_MAX = 3

export const withRecordings = (plan: Plan): Plan => {
  const random = createRandom(seedOf(`${plan.seed}/plan, recordings`))
  if (!random.chance(0.12)) return plan
  const placeAt = (host: number): Place => ({ host, process: random.int(0, plan.processes - 1) })
  const phone = () => random.int(0, plan.phones.length - 1)
  const recordings = Array.from({ length: random.int(1, RECORDINGS_MAX) }, (): RecordAsk => {
    const on = phone()
    const host = plan.phones[on]?.host ?? 0
    const isStopped = random.chance(0.6)
    return {
      at: random.int(0, ASKS_UNTIL_MS),
      place: placeAt(host),
      phone: on,
      forMs: random.pick([random.int(1_000, 4_000), random.int(4_000, 30_000)]),
      ...(isStopped ? { stopAfterMs: random.int(0, 8_000), stopAt: placeAt(host) } : {}),
    }
  })
  const turns = random.chance(0.5)
    ? Array.from({ length: random.int(1, TURNS_MAX) }, (): Turn => {
        return { at: random.int(0, FAULTS_UNTIL_MS), phone: phone(), rotation: random.int(0, 3) }
      })
    : []
  return { ...plan, recordings, turns }
}
