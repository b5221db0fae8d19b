import { describe, expect, test } from 'vitest'
import { guardedDriver, type UiDriver } from '../../../src/device/screen/driver.ts'
import { fakeDriver, node } from '../../support/device/fake-ui-driver.ts'

const SETTINGS = {
  text: 'x',
  anchor: 'left',
  textAlign: 'left',
  topOffsetDp: 0,
  edgeOffsetDp: 0,
  widthDp: 80,
  fontSizeSp: 8,
  textColor: '#FFFFFF',
  backgroundColor: '#000000',
  ttlMs: 1_000,
}
const point = { x: 1, y: 2 }
const CALLS: Record<string, (driver: UiDriver) => Promise<unknown> | undefined> = {
  tree: driver => driver.tree(),
  foregroundPackage: driver => driver.foregroundPackage(),
  click: driver => driver.click(node({ text: 'a' }), 'focus', point),
  tap: driver => driver.tap(point, 'default'),
  swipe: driver => driver.swipe(point, point, 3),
  enterText: driver => driver.enterText(node({ text: 'a' }), 'b', { append: false, submit: false }),
  pressKey: driver => driver.pressKey('back'),
  openApp: driver => driver.openApp('a'),
  openUri: driver => driver.openUri('a'),
  showToast: driver => driver.overlay?.showToast('a', 'long'),
  cancelToast: driver => driver.overlay?.cancelToast(),
  show: driver => driver.overlay?.show(SETTINGS),
  clear: driver => driver.overlay?.clear(),
  placeholder: driver => driver.overlay?.placeholder('a'),
}

describe.each(Object.keys(CALLS))('%s', method => {
  const call = (driver: UiDriver) => CALLS[method]?.(driver)

  test('is passed on as it is', async () => {
    const [plain, guarded] = [fakeDriver({ values: {} }), fakeDriver({ values: {} })]
    const answer = await call(guardedDriver(guarded, new AbortController().signal))
    expect(answer).toEqual(await call(plain))
    expect(guarded.calls).toEqual(plain.calls)
    expect(guarded.calls).toHaveLength(1)
  })

  test('is not asked after an abort', async () => {
    const driver = fakeDriver({ values: {} })
    await expect(call(guardedDriver(driver, AbortSignal.abort(new Error('over'))))).rejects.toThrow('over')
    expect(driver.calls).toEqual([])
  })
})

test('an answer that never comes is not waited for after an abort', async () => {
  const controller = new AbortController()
  const silent = { ...fakeDriver(), tree: () => new Promise<never>(() => {}) }
  const waiting = guardedDriver(silent, controller.signal).tree()
  controller.abort(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
})

test('a driver that cannot draw stays one', () => {
  expect(guardedDriver(fakeDriver(), new AbortController().signal)).not.toHaveProperty('overlay')
})
