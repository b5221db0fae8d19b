/** Simulated runs of skills over a few seeds: no law is broken, and a seed tells the same story whenever it is run. */
import { expect, test } from 'vitest'
import { judgeSkills } from './laws.ts'
import { skillPlanOf } from './plan.ts'
import { SKILLS } from './profile.ts'
import { runSkillPlan, type SkillTrial } from './trial.ts'

const SEEDS = [2, 14, 18]
const trials: SkillTrial[] = []

test.each(SEEDS)('seed %i breaks no law', async seed => {
  const plan = skillPlanOf(seed)
  const trial = await runSkillPlan(plan)
  trials.push(trial)
  const violations = judgeSkills(trial.world)
  expect(violations, violations.length > 0 ? (await SKILLS.tried(plan, { sqlite: false })).report() : '').toEqual([])
})

test('the same seeds in another order have the same hashes', async () => {
  const again: string[] = []
  for (const seed of [...SEEDS].reverse()) again.unshift((await runSkillPlan(skillPlanOf(seed))).hash)
  expect(again).toEqual(trials.map(({ hash }) => hash))
})

test('in these trials children act, are killed and outlive their hosts', () => {
  const worlds = trials.map(({ world }) => world)
  const told = worlds.flatMap(({ runs }) => runs.map(({ finished, isLost }) => (isLost ? 'lost' : finished?.status)))
  expect(new Set(told)).toEqual(new Set(['success', 'failed', 'indeterminate', 'lost']))
  expect(worlds.flatMap(({ children }) => children).some(({ exit }) => exit?.signal === 'SIGKILL')).toBe(true)
  expect(worlds.flatMap(({ records }) => records).some(({ event }) => event.type === 'run.interrupted')).toBe(true)
  expect(worlds.flatMap(({ taps }) => Object.values(taps)).filter(count => count === 1).length).toBeGreaterThan(5)
})
