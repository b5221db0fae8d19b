/** Steps of the host in the simulated world: the phone does them, they are counted, and the laws see what is wrong. */
import { expect, test } from 'vitest'
import { judgeHostSteps } from '../laws/host-step-laws.ts'
import { judgeWorld } from '../laws/laws.ts'
import type { Ask, Plan } from '../plan/plan.ts'
import type { HostStep } from '../plan/plan-host-steps.ts'
import { runPlan } from '../trial.ts'
import type { HostStepsOfWorld, World } from '../world.ts'
import { appendMark, pushMark, SHARED_TARGET } from './host-steps.ts'

const place = { host: 0, process: 0 }
const asked = (row: number, hostStep: HostStep): Ask => ({
  ...{ command: `tap-${row}`, at: row * 2_000, place, phone: 0, way: 'plain', timeoutMs: 6_000 },
  ...{ operatorPackage: 'com.svc.operator', beforeMs: 0, afterMs: 0, hostStep },
})
const PLAN: Plan = {
  ...{ seed: 1, hosts: 1, processes: 1, faults: [], watchers: [] },
  phones: [{ host: 0, ways: 'socket', faults: [] }],
  asks: [
    asked(0, { kind: 'setting', setting: 'font_scale', value: 1.001 }),
    asked(1, { kind: 'push', to: SHARED_TARGET }),
    asked(2, { kind: 'push', to: SHARED_TARGET, isSpoilt: true }),
    asked(3, { kind: 'append', isLast: true }),
    asked(4, { kind: 'setting', setting: 'brightness', value: 113, loses: 'answer' }),
  ],
}

const { world, hash } = await runPlan(PLAN)
const steps = world.hostSteps as HostStepsOfWorld
const deeds = steps.deeds[0] as HostStepsOfWorld['deeds'][number]

test('the phone does each of them once, and a file that was spoilt on its way does not come to its place', () => {
  expect(deeds.counts).toMatchObject({
    'system/font_scale 1.001': 1,
    'system/screen_brightness 113': 1,
    [pushMark('tap-1')]: 1,
    [appendMark('tap-3')]: 1,
  })
  expect(deeds.counts[pushMark('tap-2')]).toBeUndefined()
  expect(deeds.files).toEqual([{ path: SHARED_TARGET, command: 'tap-1' }])
})

test('a lost answer is in doubt, and the settings are as before in the end', () => {
  const claims = Object.fromEntries(world.story.asked.map(({ command, answer }) => [command, answer.claim]))
  expect(claims).toMatchObject({ 'tap-0': 'did', 'tap-1': 'did', 'tap-2': 'doubt', 'tap-3': 'did', 'tap-4': 'doubt' })
  expect(deeds.changedSettings).toEqual([])
  expect(judgeWorld(world)).toEqual([])
})

test('files of the host take no virtual time: the same plan has the same hash', async () => {
  expect((await runPlan(PLAN)).hash).toBe(hash)
})

const lawsWith = (changed: Partial<typeof deeds>, given: World = world) =>
  judgeHostSteps(given, { ...steps, deeds: [{ ...deeds, ...changed }] }).map(({ law }) => law)

test.each([
  ['a line that ran twice', 1, { counts: { ...deeds.counts, [appendMark('tap-3')]: 2 } }],
  ['a transfer that the phone does not have', 2, { counts: { ...deeds.counts, [pushMark('tap-1')]: 0 } }],
  ['a file of nobody in its place', 3, { files: [{ path: SHARED_TARGET, command: undefined }] }],
  ['a file that was not whole for a while', 3, { damaged: [SHARED_TARGET] }],
  ['a setting that is not as before', 7, { changedSettings: ['system/font_scale'] }],
  ['a draft', 8, { files: [...deeds.files, { path: '/sdcard/pushed/.svc-0', command: 'tap-1' }] }],
] as const)('%s breaks law %i', (_, law, changed) => {
  expect(lawsWith(changed)).toContain(law)
})
