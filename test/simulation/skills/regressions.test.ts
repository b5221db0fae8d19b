/** Plans of runs that once broke a law, made small: each is of a defect that was repaired, and breaks none. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SkillPlan } from './plan.ts'
import { SKILLS } from './profile.ts'

const FOLDER = new URL('regressions/', import.meta.url)

test.each(readdirSync(FOLDER))('%s breaks no law', async name => {
  const plan = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as SkillPlan
  const { violations, report } = await SKILLS.tried(plan, { sqlite: false })
  expect(violations, report()).toEqual([])
})
