/** A profile of the simulated world, as the command runs it: plans made from seeds, their trials, and smaller plans. */
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import type { Violation } from '../../laws/laws.ts'
import { memoryDisk } from '../host/disk.ts'
import { sqliteDisk } from '../host/sqlite-disk.ts'
import { judgeWorld } from '../laws/laws.ts'
import { reportOf } from '../report.ts'
import { runPlan } from '../trial.ts'
import { type Plan, planOf } from './plan.ts'
import { simplerPlans } from './shrink.ts'

export interface TriedPlan {
  hash: string
  steps: number
  /** How often each fault has taken effect: a freeze that holds nothing up, or a death that comes too late, has none. */
  effects: ReadonlyMap<string, number>
  trace: readonly string[]
  violations: readonly Violation[]
  /** For a person; made only when it is read. */
  report(): string
}

export interface TryOptions {
  /** The journals are files. */
  sqlite: boolean
  /** Is handed the journals of all hosts, as they are in the end. */
  onEnd?: ((journals: readonly Journal[]) => Promise<void>) | undefined
}

export interface Profile<P extends { seed: number }> {
  /** A file that its trials read, in a checkout of this repository. */
  needs?: string
  planOf(seed: number, requests: number | undefined): P
  tried(plan: P, options: TryOptions): Promise<TriedPlan>
  simpler(plan: P): Iterable<P>
  /** Names each fault of the plan by its kind. */
  faultKinds(plan: P): readonly string[]
  /** Counts what the plan holds. */
  sizeOf(plan: P): string
}

export const CORE: Profile<Plan> = {
  planOf: (seed, asks) => planOf(seed, asks === undefined ? {} : { asks }),
  async tried(plan, { sqlite, onEnd }) {
    const trial = await runPlan(plan, { disk: sqlite ? sqliteDisk : memoryDisk, ...(onEnd ? { onEnd } : {}) })
    const violations = judgeWorld(trial.world)
    return { ...trial, violations, report: () => reportOf(trial, violations) }
  },
  simpler: simplerPlans,
  faultKinds: ({ faults, phones }) => [
    ...faults.map(({ kind }) => kind),
    ...phones.flatMap(phone => phone.faults.map(({ do: kind }) => `phone ${kind}`)),
  ],
  sizeOf: ({ asks, faults }) => `${asks.length} requests, ${faults.length} faults`,
}
