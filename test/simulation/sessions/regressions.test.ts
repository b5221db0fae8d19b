/** Plans of sessions that once broke a law, made small: each is of a defect that was repaired, here or in the law, and breaks none. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SessionPlan } from './plan.ts'
import { SESSIONS } from './profile.ts'

const FOLDER = new URL('regressions/', import.meta.url)

test.each(readdirSync(FOLDER))('%s breaks no law', async name => {
  const plan = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as SessionPlan
  const { violations, report } = await SESSIONS.tried(plan, { sqlite: false })
  expect(violations, report()).toEqual([])
})
