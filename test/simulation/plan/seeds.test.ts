/** The simulated world over a few seeds: no law is broken, and a seed tells the same story whenever it is run. */
import { describe, expect, test } from 'vitest'
import { judgeWorld } from '../laws/laws.ts'
import { reportOf } from '../report.ts'
import { runPlan, type Trial } from '../trial.ts'
import { planOf } from './plan.ts'

const SEEDS = [1, 3, 8, 15, 31, 60]

const trials: Trial[] = []

test.each(SEEDS)('seed %i breaks no law', async seed => {
  const trial = await runPlan(planOf(seed))
  const violations = judgeWorld(trial.world)
  trials.push(trial)
  expect(violations, reportOf(trial, violations)).toEqual([])
})

test('the same seeds in another order have the same hashes, and other seeds have others', async () => {
  const again: string[] = []
  for (const seed of [...SEEDS].reverse()) again.unshift((await runPlan(planOf(seed))).hash)
  expect(again).toEqual(trials.map(({ hash }) => hash))
  expect(new Set(again).size).toBe(SEEDS.length)
})

describe('in these trials', () => {
  test('taps happen, processes die, answers are lost, and requests wait', () => {
    const worlds = trials.map(({ world }) => world)
    const answers = worlds.flatMap(({ story }) => story.asked.map(({ answer }) => answer.claim))
    expect(new Set(answers)).toEqual(new Set(['did', 'did-not', 'doubt']))
    expect(worlds.reduce((sum, { deaths }) => sum + deaths.length, 0)).toBeGreaterThan(2)
    const queue = worlds.flatMap(({ queueEvents }) => queueEvents.map(({ type }) => type))
    expect(queue).toEqual(expect.arrayContaining(['execution.queued', 'execution.left']))
    const tapped = worlds.flatMap(({ taps }) => Object.values(taps)).filter(count => count === 1)
    expect(tapped.length).toBeGreaterThan(3)
  })
})
