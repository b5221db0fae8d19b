/** The profile of a fleet: hosts on simulated NATS, asked at any of them. */
import { memoryDisk } from '../host/disk.ts'
import { sqliteDisk } from '../host/sqlite-disk.ts'
import type { Plan } from '../plan/plan.ts'
import type { Profile } from '../plan/profile.ts'
import { simplerPlans } from '../plan/shrink.ts'
import { linesOf, violationLines } from '../report.ts'
import { judgeFleet } from './laws.ts'
import { type FleetPlan, fleetPlanOf } from './plan.ts'
import { runFleetPlan } from './trial.ts'

export const FLEET: Profile<FleetPlan> = {
  planOf: (seed, count) => fleetPlanOf(seed, count),
  async tried(plan, { sqlite, onEnd }) {
    const trial = await runFleetPlan(plan, { disk: sqlite ? sqliteDisk : memoryDisk, onEnd })
    const violations = judgeFleet(trial.world)
    const report = () => [...violationLines(violations, trial.world.story), '', ...linesOf(trial), ''].join('\n')
    return { ...trial, violations, report }
  },
  simpler: plan => simplerPlans(plan as unknown as Plan) as unknown as Iterable<FleetPlan>,
  faultKinds: ({ faults, phones }) => [
    ...faults.map(({ kind }) => kind),
    ...phones.flatMap(phone => phone.faults.map(({ do: kind }) => `phone ${kind}`)),
  ],
  sizeOf: ({ asks, faults }) => `${asks.length} requests, ${faults.length} faults`,
}
