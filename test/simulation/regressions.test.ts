/** Plans that once broke a law, made small: each is of a defect that was repaired, and breaks none. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { judgeWorld } from './laws/laws.ts'
import type { Plan } from './plan/plan.ts'
import { reportOf } from './report.ts'
import { runPlan } from './trial.ts'

const FOLDER = new URL('regressions/', import.meta.url)

test.each(readdirSync(FOLDER))('%s breaks no law', async name => {
  const plan = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Plan
  const trial = await runPlan(plan)
  const violations = judgeWorld(trial.world)
  expect(violations, reportOf(trial, violations)).toEqual([])
})
