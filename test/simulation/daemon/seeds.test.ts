/** Commands over simulated daemons: no law is broken, a seed tells the same story again, and each way of the table is taken. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type DaemonPlan, daemonPlanOf } from './plan.ts'
import { DAEMON } from './profile.ts'
import { runDaemonPlan } from './trial.ts'

const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1)
const FOLDER = new URL('regressions/', import.meta.url)

const expectLawful = async (plan: DaemonPlan): Promise<void> => {
  const { violations, report } = await DAEMON.tried(plan, { sqlite: false })
  expect(violations, violations.length > 0 ? report() : '').toEqual([])
}

test('a few seeds break no law', async () => {
  for (const seed of SEEDS) await expectLawful(daemonPlanOf(seed))
})

test.each(readdirSync(FOLDER))('%s breaks no law', async name => {
  await expectLawful(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as DaemonPlan)
})

test('the same seeds in another order have the same hashes', async () => {
  const hashOf = async (seed: number) => (await runDaemonPlan(daemonPlanOf(seed))).hash
  const some = SEEDS.slice(0, 10)
  const [first, again]: string[][] = [[], []]
  for (const seed of some) first?.push(await hashOf(seed))
  for (const seed of [...some].reverse()) again?.unshift(await hashOf(seed))
  expect(again).toEqual(first)
  expect(new Set(first).size).toBe(some.length)
})

test('in these trials each end of the table is reached', async () => {
  const ends = new Set<string>()
  for (const seed of SEEDS) {
    const { sent } = (await runDaemonPlan(daemonPlanOf(seed))).world
    for (const { result } of sent)
      if (result) ends.add(result.kind === 'direct' && result.isRerun ? 'direct again' : result.kind)
  }
  expect(ends).toEqual(new Set(['answered', 'direct', 'direct again', 'lost', 'cancelled']))
})
