import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/runtime/clock.ts'
import { createPhone } from '../../src/simulator/device.ts'
import { phoneOf } from '../support/simulator/simulated-phone.ts'
import { appOf, middleOf, nodeIn, scenarioOf } from '../support/simulator/simulated-ui.ts'

const withDevice = (device: object) =>
  createPhone({
    name: 'sim-7',
    serialno: 'S7',
    clock: systemClock(),
    scenario: scenarioOf({ ...appOf({ main: { nodes: [{ text: 'a' }] } }), device }),
  })

const settingsOf = (phone: ReturnType<typeof phoneOf>) => {
  phone.startActivity({ component: 'com.android.settings/.Settings', extras: {} })
  return phone
}

describe('what a phone says of itself', () => {
  test('a model, a serial number of its own, and what the scenario says', () => {
    const phone = withDevice({ properties: { 'ro.product.model': 'Other', 'my.own': '1' } })
    const read = (name: string) => phone.properties.get(name)
    expect(phone.name).toBe('sim-7')
    expect([read('ro.product.model'), read('my.own'), read('ro.serialno')]).toEqual(['Other', '1', 'S7'])
    expect(phoneOf().properties.get('ro.product.model')).toBe('Svc Sim')
  })

  test('settings that can be changed', () => {
    const phone = withDevice({ settings: { 'global/adb_enabled': '7' } })
    expect(phone.settings.get('global/adb_enabled')).toBe('7')
    expect(phone.settings.get('secure/enabled_accessibility_services')).toContain('com.svc.operator/')
  })

  test('what is installed', () => {
    const phone = phoneOf()
    expect(phone.packages()).toEqual(expect.arrayContaining(['com.android.settings', 'com.svc.operator', 'android']))
    expect(phone.appFacts?.('com.android.settings')).toMatchObject({
      launchActivity: '.Settings',
      versionName: '15',
      versionCode: 35,
    })
    expect(phone.appFacts?.('com.svc.operator')).toMatchObject({ versionName: '1.0.0', versionCode: 1 })
    expect(phone.appFacts?.('com.nobody')).toBeUndefined()
  })
})

describe('the display', () => {
  test('off: nothing is on it and nothing can be touched', () => {
    const phone = settingsOf(phoneOf())
    const point = middleOf(nodeIn(phone.tree() ?? { rotation: 0, roots: [] }, 'Wi-Fi'))
    const lit = phone.screenshot()
    phone.sleep()
    expect([phone.isAwake(), phone.tree()]).toEqual([false, undefined])
    expect(Buffer.compare(phone.screenshot(), lit)).not.toBe(0)
    phone.tap(point)
    phone.type('lost')
    phone.key('HOME')
    phone.wake()
    phone.dismissKeyguard()
    expect(Buffer.compare(phone.screenshot(), lit)).toBe(0)
  })

  test('comes on with the keyguard down, which goes when asked', () => {
    const phone = phoneOf()
    phone.key('POWER')
    phone.key('WAKEUP')
    expect([phone.isAwake(), phone.isLocked()]).toEqual([true, true])
    expect(phone.dismissKeyguard()).toBe(true)
    expect(phone.isLocked()).toBe(false)
  })

  test.each(['SLEEP', 'SOFT_SLEEP', 'POWER'])('goes off by the key %s', key => {
    const phone = phoneOf()
    expect(phone.key(key)).toBe(true)
    expect(phone.isAwake()).toBe(false)
  })

  test('starts off when the scenario says so, and can be woken', () => {
    const phone = withDevice({ screenOff: true })
    expect(phone.isAwake()).toBe(false)
    phone.wake()
    phone.dismissKeyguard()
    expect([phone.isAwake(), phone.isLocked()]).toEqual([true, false])
  })

  test('stays locked when only a person can unlock it', () => {
    const phone = withDevice({ locked: true })
    expect([phone.isAwake(), phone.isLocked(), phone.dismissKeyguard(), phone.isLocked()]).toEqual([
      true,
      true,
      false,
      true,
    ])
    phone.swipe({ x: 500, y: 2_000 }, { x: 500, y: 200 }, 300)
    phone.key('HOME')
    expect(phone.isLocked()).toBe(true)
  })
})

test('one phone does not see what is done on another of the same scenario', () => {
  const scenario = scenarioOf(appOf({ main: { nodes: [{ text: 'it', checked: false }] } }))
  const [one, other] = ['1', '2'].map(serialno => phoneOf({ scenario, serialno }))
  if (!one || !other) throw new Error('there are no phones')
  const isOn = (phone: typeof one) => nodeIn(phone.tree() ?? { rotation: 0, roots: [] }, 'it').checked
  one.tap(middleOf(nodeIn(one.tree() ?? { rotation: 0, roots: [] }, 'it')))
  expect([isOn(one), isOn(other)]).toEqual([true, false])
})

test('a screenshot of the same screen is made once', () => {
  const phone = phoneOf()
  expect(phone.screenshot()).toBe(phone.screenshot())
})
