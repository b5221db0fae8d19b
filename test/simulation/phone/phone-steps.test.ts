/** Applications, files and transfers that end in the middle, in the simulated world. */
import { expect, test } from 'vitest'
import { judgeHostSteps } from '../laws/host-step-laws.ts'
import { judgeWorld } from '../laws/laws.ts'
import type { Ask, Plan } from '../plan/plan.ts'
import type { HostStep } from '../plan/plan-host-steps.ts'
import { runPlan } from '../trial.ts'
import type { HostStepsOfWorld } from '../world.ts'
import { appMark, installMark, ownPackage } from './app-steps.ts'
import { pushMark, targetOf } from './host-steps.ts'

const place = { host: 0, process: 0 }
const asked = (row: number, hostStep: HostStep): Ask => ({
  ...{ command: `tap-${row}`, at: row * 2_500, place, phone: 0, way: 'plain', timeoutMs: 1_500 },
  ...{ operatorPackage: 'com.svc.operator', beforeMs: 0, afterMs: 0, hostStep },
})
const planOf = (steps: readonly HostStep[]): Plan => ({
  ...{ seed: 1, hosts: 1, processes: 1, faults: [], watchers: [] },
  phones: [{ host: 0, ways: 'socket', faults: [] }],
  asks: steps.map((step, row) => asked(row, step)),
})
const tried = async (steps: readonly HostStep[]) => {
  const { world, hash } = await runPlan(planOf(steps))
  const facts = world.hostSteps as HostStepsOfWorld
  const deeds = facts.deeds[0] as HostStepsOfWorld['deeds'][number]
  const claims = world.story.asked.filter(({ command }) => Number(command.slice(4)) < steps.length)
  return { world, hash, facts, deeds, claims: claims.map(({ answer }) => answer.claim) }
}

const own = (row: number) => ownPackage(`tap-${row}`)

const APPS = await tried([
  { kind: 'install' },
  { kind: 'install', isSplit: true },
  { kind: 'uninstall' },
  { kind: 'clear' },
  { kind: 'permission', state: 'deny' },
  { kind: 'open', isLast: true },
])

test('the phone does to its applications what was asked, once, and permissions are as before in the end', () => {
  expect(APPS.claims).toEqual(Array(6).fill('did'))
  expect(APPS.deeds.counts).toMatchObject({
    [installMark('tap-0')]: 1,
    [installMark('tap-1')]: 1,
    [appMark('uninstalled', own(2))]: 1,
    [appMark('cleared', own(3))]: 1,
    [appMark('deny', own(4))]: 1,
    [appMark('opened', own(5))]: 1,
  })
  expect(APPS.deeds.apps).toEqual({ openSessions: 0, halfInstalled: undefined, changedPermissions: [] })
  expect(judgeWorld(APPS.world)).toEqual([])
})

const cut = (way: 'link' | 'process' | 'silence') => ({ cut: { afterBytes: 30_000, way } })
const FILES = await tried([
  { kind: 'pull', name: 'tap-0' },
  { kind: 'pull', name: 'tap-1', ...cut('link') },
  { kind: 'pull', name: 'tap-2', isLarge: true, ...cut('silence') },
  { kind: 'push', to: targetOf('tap-3'), ...cut('silence') },
  { kind: 'install', ...cut('silence') },
  { kind: 'remove' },
  { kind: 'pull', name: 'tap-6', ...cut('process') },
])

test('a transfer that ends in the middle leaves nothing in its place, and a draft only until it is done again', () => {
  const { counts } = FILES.deeds
  expect(FILES.facts.fetchedBefore.map(({ name, command }) => [name, command])).toEqual([['tap-0', 'tap-0']])
  expect(counts[pushMark('tap-3')]).toBeUndefined()
  expect(counts[installMark('tap-4')]).toBeUndefined()
  expect(counts['removed tap-5']).toBe(1)
  // Only a process that dies cannot clear its draft by itself.
  expect(FILES.facts.agains.map(({ pushes, pulls }) => [pushes, pulls])).toEqual([[[], ['tap-6']]])
  expect(FILES.facts.hostDrafts).toEqual([])
  expect(FILES.world.deaths).toHaveLength(1)
  expect(judgeWorld(FILES.world)).toEqual([])
})

test('the places of files on the host are no part of the story: the same plan has the same hash', async () => {
  const steps = FILES.facts.asks.flatMap(({ hostStep }) => hostStep ?? [])
  expect((await tried(steps)).hash).toBe(FILES.hash)
})

const lawsOn = ({ world, facts, deeds }: typeof APPS, changed: Partial<HostStepsOfWorld>, on: Partial<typeof deeds>) =>
  judgeHostSteps(world, { ...facts, deeds: [{ ...deeds, ...on }], ...changed }).map(({ law }) => law)

const withApps = (changed: Partial<typeof APPS.deeds.apps>) => ({ apps: { ...APPS.deeds.apps, ...changed } })
test.each([
  ['an application of two versions', 3, withApps({ halfInstalled: 'base.apk of tap-0, split of tap-1' })],
  ['a session that stays open', 8, withApps({ openSessions: 1 })],
  ['a temporary file', 8, { temporary: ['x'] }],
  ['a permission that is not as before', 7, withApps({ changedPermissions: ['com.example.own04'] })],
  ['an application that was cleared twice', 1, { counts: { ...APPS.deeds.counts, [appMark('cleared', own(3))]: 2 } }],
  ['an installation that the phone does not have', 2, { counts: {} }],
] as const)('%s breaks law %i', (_, law, on) => {
  expect(lawsOn(APPS, {}, on)).toContain(law)
})

const half = { host: 0, name: 'tap-0', command: undefined }
test.each([
  ['a fetched file that is not whole', 3, { fetched: [half] }],
  ['a draft on the host', 8, { hostDrafts: [{ host: 0, name: '.svc-0' }] }],
  [
    'a file that is there, and was told as not fetched',
    2,
    { fetchedBefore: [{ ...half, name: 'tap-1', command: 'tap-1' }] },
  ],
  ['a transfer that is not done again', 7, { agains: [{ command: 'tap-39', phone: 0, pushes: [], pulls: ['tap-1'] }] }],
] as const)('%s breaks law %i', (_, law, changed) => {
  expect(lawsOn(FILES, changed as Partial<HostStepsOfWorld>, {})).toContain(law)
})
