/** Which looks at the phone go before the steps of an execution, and which after them. */
import { expect, test } from 'vitest'
import type { Action } from '../../../../src/contracts/executions/action.ts'
import { memoryJournal } from '../../../../src/runtime/journal/memory.ts'
import { validateExecution } from '../../../../src/service/executions/validate.ts'
import { operatorHost } from '../../../support/device/operator-host.ts'
import { okStep, sleepStep } from '../../../support/device/operator-samples.ts'
import { deeds, phone, svcProcess } from '../../../support/executions/executor-bench.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { manualClock } from '../../../support/manual-clock.ts'
import { settled } from '../../../support/settled.ts'

const SCREEN =
  '<hierarchy rotation="0"><node class="a.V" text="Hello" bounds="[0,0][100,100]" clickable="true"/></hierarchy>'
const WAKE = 'shell input keyevent KEYCODE_WAKEUP; wm dismiss-keyguard'
const key = (name: string) => `shell input keyevent KEYCODE_${name}`

const bench = (wakefulness: 'Awake' | 'Asleep') => {
  const clock = manualClock(Date.now())
  const link = phone(clock, undefined, wakefulness)
  const { execute } = svcProcess({ journal: memoryJournal({ alive: () => true, clock }), clock, link })
  /** What the execution asked of the phone, in order. */
  const press = async (...keys: string[]) => {
    const from = link.calls.length
    const actions = keys.map((name, index) => ({ id: `k${index}`, type: 'press_key', params: { key: name } }))
    const validation = validateExecution(payloadOf(actions))
    if (!validation.ok) throw new Error(validation.error.message)
    const running = execute({ execution: validation.execution, deviceId: 'd1', operatorPackage: 'svc.shell' })
    for (let round = 0; round < 20; round++) {
      await settled()
      clock.advance(100)
    }
    const { result } = await running
    expect(result).toMatchObject({ ok: true, envelope: { status: 'success' } })
    const calls = link.calls.slice(from)
    return { deeds: deeds({ ...link, calls }), looks: calls.filter(call => call.includes('dumpsys power')).length }
  }
  return { press }
}

test('a screen that is off is woken before the steps', async () => {
  const { press } = bench('Asleep')
  expect((await press('home')).deeds).toEqual([WAKE, key('HOME')])
})

test.each(['power', 'wakeup', 'sleep', 'soft_sleep'])(
  'for %s alone no screen is woken: it would be put out again',
  async name => {
    const { press } = bench('Asleep')
    expect(await press(name)).toEqual({ deeds: [key(name.toUpperCase())], looks: 0 })
  },
)

test('for a key that switches the screen among others it is woken', async () => {
  const { press } = bench('Asleep')
  expect((await press('wakeup', 'home')).deeds).toEqual([WAKE, key('WAKEUP'), key('HOME')])
})

test('a screen that was on a moment ago is not looked at again, unless an execution may have switched it', async () => {
  const { press } = bench('Awake')
  expect((await press('home')).looks).toBe(1)
  expect((await press('home')).looks).toBe(0)
  expect((await press('home', 'power')).looks).toBe(1)
  expect((await press('home')).looks).toBe(1)
  expect((await press('power')).looks).toBe(0)
  expect((await press('home')).looks).toBe(1)
})

/** How often the screen is read after the steps of an execution that is to show what has changed since another one. */
const looksAfter = async (last: Action) => {
  const { device, start, later } = operatorHost()
  let looks = 0
  device.behave = request => {
    const stepResults = request.actions.map(({ id, type }) => {
      if (type === 'snapshot') looks += 1
      return {
        ...okStep(id, type === 'snapshot' ? { actual_format: 'hierarchy_xml', text: SCREEN } : {}),
        actionType: type,
      }
    })
    device.answer(request, { stepResults })
  }
  start('e1', [{ id: 's', type: 'snapshot' }])
  await settled()
  const before = looks
  const run = start('e2', [last], { view: { device: 'd1', isCompact: false, isObserved: true, since: 'e1' } })
  await later(5_000)
  expect(run.outcome?.result).toMatchObject({ ok: true, observed: { text: expect.stringContaining('screen') } })
  return looks - before
}

test('a screen that stays as it was is given time to change, unless the last step has waited for it to settle', async () => {
  const still = await looksAfter(sleepStep('a'))
  expect(still).toBeGreaterThan(3)
  // Its own looks, of which the last two agree, and two more.
  expect(await looksAfter({ id: 'i', type: 'wait_for_idle', params: { timeoutMs: 1_000 } })).toBeLessThan(2 + still)
})
