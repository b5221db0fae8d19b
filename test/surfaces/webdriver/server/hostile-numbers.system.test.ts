/** Numbers and texts that no client should send, in every argument of WebDriver: each ends with a clear error or a proper answer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quickPing } from '../../../support/hostile-values.ts'
import {
  startWebDriverLab,
  type TestSession,
  VAULT,
  type WebDriverLab,
} from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab
let session: TestSession
let element: string
beforeAll(async () => {
  lab = await startWebDriverLab()
  session = await lab.session({ 'appium:appPackage': VAULT })
  element = await session.find('id', `${VAULT}:id/title`)
})
afterAll(() => lab.close())

/** JSON text: for some of it no value of JavaScript stands. */
const HOSTILE = [
  '1e308',
  '-1e308',
  '1e400',
  '-1',
  '0',
  '0.5',
  '1e-320',
  '9007199254740993',
  'null',
  'true',
  '[1]',
  '{}',
].concat(['"NaN"', '"Infinity"', '"1e308"', '"-1"', '""', '"0x10"', JSON.stringify('9'.repeat(100_000))])

const ID = 'element-6066-11e4-a52e-4f735466cecf'
const X = '%%'
const mobile = (name: string, args: object) => ['/execute/sync', { script: `mobile: ${name}`, args: [args] }] as const
const pointer = (...actions: object[]) =>
  ['/actions', { actions: [{ type: 'pointer', id: 'finger', parameters: { pointerType: 'touch' }, actions }] }] as const
const MOVE = { type: 'pointerMove', duration: 0, x: 10, y: 10 }
const DOWN = { type: 'pointerDown', button: 0 }
const UP = { type: 'pointerUp', button: 0 }
const AREA = { left: 100, top: 100, width: 400, height: 400 }

/** The places of a number; `%%` stands for it, and ELEMENT for an element that is there. */
const PLACES: readonly (readonly [path: string, body: object])[] = [
  ['/timeouts', { implicit: X }],
  ['/timeouts', { script: X }],
  ['/timeouts', { pageLoad: X }],
  ['/window/rect', { x: X, y: 0, width: 1, height: 1 }],
  ['/window/rect', { x: 0, y: 0, width: X, height: X }],
  ['/rotation', { x: X, y: 0, z: 0 }],
  ['/rotation', { x: 0, y: 0, z: X }],
  ['/location', { location: { latitude: X, longitude: 1 } }],
  ['/location', { location: { latitude: 1, longitude: X, altitude: X } }],
  ['/network_connection', { type: X }],
  ['/frame', { id: X }],
  ['/element', { using: 'id', value: X }],
  ['/element', { using: 'xpath', value: `//*[position() = ${X}]` }],
  ['/element', { using: '-android uiautomator', value: `new UiSelector().clickable(true).instance(${X})` }],
  [`/element/ELEMENT/value`, { text: X }],
  ['/appium/device/press_keycode', { keycode: X }],
  ['/appium/device/press_keycode', { keycode: 29, metastate: X, flags: X }],
  ['/appium/device/long_press_keycode', { keycode: X }],
  ['/appium/device/lock', { seconds: X }],
  ['/appium/app/background', { seconds: X }],
  ['/appium/device/power_capacity', { percent: X }],
  ['/appium/start_recording_screen', { options: { timeLimit: X } }],
  ['/appium/start_recording_screen', { options: { timeLimit: 1, bitRate: X } }],
  ['/appium/start_recording_screen', { options: { timeLimit: 1, videoSize: X } }],
  ['/appium/settings', { settings: { waitForIdleTimeout: X } }],
  pointer({ ...MOVE, x: X }, DOWN, UP),
  pointer({ ...MOVE, y: X }, DOWN, UP),
  pointer({ ...MOVE, duration: X }, DOWN, UP),
  pointer(MOVE, { ...DOWN, button: X }, UP),
  pointer(MOVE, DOWN, { type: 'pause', duration: X }, UP),
  pointer(MOVE, DOWN, { ...MOVE, origin: 'pointer', x: X, y: X }, UP),
  pointer({ ...MOVE, origin: { [ID]: 'ELEMENT' }, x: X, y: X }, DOWN, UP),
  ['/actions', { actions: [{ type: 'key', id: 'k', actions: [{ type: 'keyDown', value: X }] }] }],
  ['/actions', { actions: [{ type: 'none', id: 'n', actions: [{ type: 'pause', duration: X }] }] }],
  ['/actions', { actions: X }],
  mobile('clickGesture', { x: X, y: 10 }),
  mobile('clickGesture', { elementId: 'ELEMENT', x: X, y: X }),
  mobile('longClickGesture', { x: 10, y: 10, duration: X }),
  mobile('doubleClickGesture', { x: 10, y: X }),
  mobile('dragGesture', { startX: 10, startY: 10, endX: X, endY: X }),
  mobile('swipeGesture', { ...AREA, direction: 'up', percent: X }),
  mobile('swipeGesture', { ...AREA, direction: 'up', percent: 0.5, speed: X }),
  mobile('swipeGesture', { ...AREA, width: X, height: X, direction: 'up', percent: 0.5 }),
  mobile('swipeGesture', { ...AREA, left: X, top: X, direction: 'up', percent: 0.5 }),
  mobile('flingGesture', { ...AREA, direction: 'down', speed: X }),
  mobile('scrollGesture', { ...AREA, direction: 'down', percent: X }),
  mobile('scrollGesture', { ...AREA, direction: 'down', percent: 0.5, speed: X }),
  mobile('pinchOpenGesture', { ...AREA, percent: X }),
  mobile('pinchCloseGesture', { ...AREA, percent: 0.5, speed: X }),
  mobile('scroll', { strategy: 'id', selector: 'none', maxSwipes: X }),
  mobile('pressKey', { keycode: X }),
  mobile('backgroundApp', { seconds: X }),
  mobile('lock', { seconds: X }),
  mobile('powerCapacity', { percent: X }),
  mobile('setGeolocation', { latitude: X, longitude: X }),
  mobile('removeApp', { appId: 'a.b', timeout: X }),
  mobile('terminateApp', { appId: 'a.b', timeout: X }),
]

/** An error that a client can do something about; what a phone of its own cannot do is said too. */
const CLIENT_ERRORS = [
  ...['invalid argument', 'unsupported operation', 'unknown method', 'no such element', 'invalid selector'],
  ...[
    'stale element reference',
    'element not interactable',
    'move target out of bounds',
    'invalid element state',
    'no such frame',
  ],
]

const DONE_MS = 30_000

const post = async (path: string, body: object, hostile: string) => {
  const text = (given: string) => given.replaceAll('ELEMENT', element)
  const json = text(JSON.stringify(body))
  // Inside of a longer text it stands as it is; alone it takes the place of the text.
  const inner = JSON.stringify(hostile.replace(/^"|"$/g, '')).slice(1, -1)
  const sent = json.replaceAll(`"${X}"`, hostile).replaceAll(X, inner)
  const answer = await fetch(`${lab.url}${session.path}${text(path)}`, {
    method: 'POST',
    body: sent,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(DONE_MS),
  })
  const { value } = (await answer.json()) as { value: { error?: string; message?: string; data?: { code?: string } } }
  return { status: answer.status, value }
}

describe.each(PLACES)('POST %s %j', (path, body) => {
  test('answers each hostile value with a client error, or does what it says', async () => {
    for (const hostile of HOSTILE) {
      const { status, value } = await post(path, body, hostile)
      const where = `${hostile.slice(0, 40)}: ${JSON.stringify(value)?.slice(0, 400)}`
      if (status === 200 && path.endsWith('recording_screen')) await session.post('/appium/stop_recording_screen')
      if (status === 200) continue
      expect(value.data?.code, where).not.toBe('INTERNAL_ERROR')
      expect(CLIENT_ERRORS, where).toContain(value.error)
      expect(value.message?.length, where).toBeLessThan(2_000)
    }
    await quickPing(lab.url)
  }, 120_000)
})
