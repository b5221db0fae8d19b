/** Which looks at the phone go before the steps of an execution, and which after them. */
import { expect, test } from 'vitest'
import { validateExecution } from '../../src/executions/validate.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { deeds, phone, svcProcess } from '../support/executor-bench.ts'
import { payloadOf } from '../support/lab.ts'
import { manualClock } from '../support/manual-clock.ts'
import { settled } from '../support/settled.ts'

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
