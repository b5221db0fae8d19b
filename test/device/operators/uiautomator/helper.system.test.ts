/** How long a helper runs on a phone, over a real link and a clock that can be moved on. */

import { afterEach, expect, test } from 'vitest'
import { tcpDevices } from '../../../../src/contracts/device/addresses.ts'
import { HELPER_IDLE_MS } from '../../../../src/contracts/limits/limits.ts'
import { createLinks } from '../../../../src/device/link/links.ts'
import { createHelper } from '../../../../src/device/operators/uiautomator/helper.ts'
import { tapPlan } from '../../../../src/device/operators/uiautomator/touch-plan.ts'
import { systemClock } from '../../../../src/runtime/clock.ts'
import { defaultScenario } from '../../../../src/simulator/scenario/default/apps.ts'
import type { Fault } from '../../../../src/simulator/scenario/fault.ts'
import { startDevice } from '../../../../src/simulator/simulated-phones.ts'
import { snapshotApk } from '../../../support/device/helper-apks.ts'
import { jumpingClock } from '../../../support/jumping-clock.ts'
import { until } from '../../../support/until.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const setup = async (faults: readonly Fault[] = []) => {
  const device = await startDevice({
    name: 'sim',
    serialno: 'S1',
    scenario: defaultScenario(),
    clock: systemClock(),
    apks: [snapshotApk()],
    faults,
  })
  closers.push(device.close)
  const clock = jumpingClock()
  // The link's own deadlines are none of this test's: its clock is not moved on.
  const links = createLinks({
    clock: systemClock(),
    server: { unusable: 'this test has none' },
    program: { path: undefined, env: {} },
    tcpDevices: tcpDevices(device.serial),
    keyPath: '/nowhere/adbkey',
  })
  closers.push(links.close)
  const helper = createHelper({ clock, link: options => links.get(device.serial, options) })
  const options = () => ({ deadline: clock.now() + 20_000 })
  return { device, clock, links, helper, options, pid: () => device.phone.helpers?.snapshot.pid() }
}

test('it ends when it was idle for its time, counted from its last request, and starts again when it is needed', async () => {
  const { clock, helper, options, pid } = await setup()
  await helper.health(options())
  const first = pid()
  expect(first).toBeDefined()
  clock.jump(HELPER_IDLE_MS - 5_000)
  expect(await helper.tree(options())).toBeDefined()
  clock.jump(HELPER_IDLE_MS - 5_000)
  expect(await helper.touch(tapPlan({ x: 1, y: 1 }, 'default'), options())).toEqual({ ok: true })
  expect(pid()).toBe(first)
  clock.jump(HELPER_IDLE_MS)
  await until(() => pid() === undefined, 'its end')
  expect(await helper.tree(options())).toBeDefined()
  expect(pid()).not.toBe(first)
})

test('one that was left by another host is ended before ours starts', async () => {
  const { device, helper, options, pid } = await setup()
  device.phone.helpers?.snapshot.start(23_456, new Map(), new AbortController().signal)
  const left = pid()
  expect(await helper.tree(options())).toBeDefined()
  expect(pid()).not.toBe(left)
})

test('requests of several callers are sent one after the other', async () => {
  const { helper, options } = await setup([{ after: 1, do: 'helper-late', ms: 200, times: 3 }])
  const answers = await Promise.all([
    helper.tree(options()),
    helper.touch(tapPlan({ x: 1, y: 1 }, 'default'), options()),
    helper.tree(options()),
  ])
  expect(answers.map(answer => answer !== undefined)).toEqual([true, true, true])
})

test('a helper that is stuck at its end is ended by force', async () => {
  const { device, helper, options, pid } = await setup()
  await helper.health(options())
  // A connection that sends no line keeps all others waiting.
  const { snapshot } = device.phone.helpers ?? {}
  const port = [...Array(40_001).keys()].map(at => at + 20_000).find(one => snapshot?.connect(one) !== undefined)
  expect(port).toBeDefined()
  await helper.stop()
  expect(pid()).toBeUndefined()
})

test('the phone ends it when the host goes without closing', async () => {
  const { device, helper, options, pid } = await setup()
  await helper.health(options())
  device.adbd.cutLinks()
  await until(() => pid() === undefined, 'the guard')
})

test('a caller that leaves during the start leaves nothing behind', async () => {
  const { helper, options, pid, device } = await setup()
  const leaving = new AbortController()
  const started = helper.health({ ...options(), signal: leaving.signal })
  leaving.abort('left')
  await expect(started).rejects.toThrow()
  await helper.stop()
  expect(pid()).toBeUndefined()
  expect(device.phone.helpers?.automation.owner()).toBeUndefined()
})
