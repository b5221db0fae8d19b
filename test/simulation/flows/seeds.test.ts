/** Simulated runs of flows over a few seeds: no law is broken, and a seed tells the same story whenever it is run. */
import { expect, test } from 'vitest'
import { judgeFlows } from './laws.ts'
import { flowPlanOf } from './plan.ts'
import { FLOWS } from './profile.ts'
import { type FlowTrial, runFlowPlan } from './trial.ts'

const SEEDS = [1, 3, 29, 32]
const trials: FlowTrial[] = []

test.each(SEEDS)('seed %i breaks no law', async seed => {
  const plan = flowPlanOf(seed)
  const trial = await runFlowPlan(plan)
  trials.push(trial)
  const violations = judgeFlows(trial.world)
  expect(violations, violations.length > 0 ? (await FLOWS.tried(plan, { sqlite: false })).report() : '').toEqual([])
})

test('a seed has the same hash again', async () => {
  expect((await runFlowPlan(flowPlanOf(SEEDS[0] ?? 1))).hash).toBe(trials[0]?.hash)
})

test('in these trials runs are left and resumed, flows end in several ways, and commands are in doubt', () => {
  const worlds = trials.map(({ world }) => world)
  const types = new Set(worlds.flatMap(({ records }) => records.map(({ event }) => event.type)))
  expect([...types]).toEqual(expect.arrayContaining(['run.interrupted', 'run.resumed', 'flow.resumed']))
  const attempts = worlds.flatMap(({ testRuns }) =>
    testRuns.flatMap(({ flows }) => flows.flatMap(flow => flow.attempts)),
  )
  expect([...new Set(attempts.map(({ verdict }) => verdict))]).toEqual(
    expect.arrayContaining(['passed', 'indeterminate']),
  )
  expect(attempts.some(({ error }) => error?.code === 'COMMAND_IN_DOUBT')).toBe(true)
})
