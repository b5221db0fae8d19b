/** Requests of a plan that wait for busy phones. */
import { createRandom } from '../../long/trial/random.ts'
import { seedOf } from '../scheduler.ts'
import type { Ask, Plan } from './plan.ts'

const BUNCHES_UNTIL_MS = 14_000

/** Bunches of requests that wait for the same phone: without them a phone is seldom busy. */
export const withWaiting = (plan: Plan): Plan => {
  const random = createRandom(seedOf(`${plan.seed}/plan, waiting`))
  if (random.chance(0.4)) return plan
  const bunches = Array.from({ length: random.int(1, 3) }, () => random.int(0, BUNCHES_UNTIL_MS))
  const inBunch = (ask: Ask): Ask => ({
    ...ask,
    ...(random.chance(0.2) ? { timeoutMs: 6_000 } : {}),
    at: (bunches[random.int(0, bunches.length - 1)] ?? 0) + random.int(0, 400),
    place: { ...ask.place, process: random.int(0, plan.processes - 1) },
    phone: plan.phones.findIndex(({ host }) => host === ask.place.host),
    beforeMs: random.pick([0, random.int(1, 300), random.int(200, 900), random.int(1_000, 4_000)]),
    afterMs: random.pick([0, random.int(1, 500), random.int(200, 900)]),
  })
  const asks = plan.asks.map((given): Ask => {
    const ask = random.chance(0.8) ? inBunch(given) : given
    if (random.chance(0.2)) return ask
    return {
      ...ask,
      waitMs: random.pick([300, 1_500, 5_000, 15_000, 30_000]),
      ...(random.chance(0.25) ? { leaveAfterMs: random.int(0, 3_000) } : {}),
      ...(ask.way.startsWith('chosen') ? { lookAfterMs: random.int(50, 2_000), lookAt: ask.place } : {}),
    }
  })
  return { ...plan, asks }
}
