/** Each `mobile:` method: the steps that it makes of its arguments, and its answer as Appium has it. */
import { describe, expect, test } from 'vitest'
import { isKeyName, KEY_NAMES } from '../../../../src/contracts/executions/key-names.ts'
import { SCRIPT_COMMANDS } from '../../../../src/surfaces/webdriver/commands/script.ts'
import { KEY_CODES, keyOfCode } from '../../../../src/surfaces/webdriver/protocol/key-codes.ts'
import { type BenchOptions, ELEMENT, SCREEN, webDriverBench } from '../../../support/webdriver/webdriver-bench.ts'

const [execute] = SCRIPT_COMMANDS

const run = async (name: string, args: object | undefined, options: BenchOptions = {}) => {
  const bench = webDriverBench(options)
  const body = { script: `mobile: ${name}`, args: args === undefined ? [] : [args] }
  return { ...bench, value: await execute?.run(bench.session, { path: {}, body }) }
}

const refusal = async (name: string, args: object, options: BenchOptions = {}) =>
  run(name, args, options).then(
    () => undefined,
    (error: unknown) => error,
  )

const DEVICE = {
  frontApp: 'a.b',
  frontActivity: 'a.b.ui.Main',
  keyboardShown: true,
  awake: true,
  locked: false,
  time: '2026-01-31T12:00:05+0130',
  model: 'Pixel',
  manufacturer: 'Google',
  apiLevel: 35,
  androidVersion: '15',
  display: { width: 1_080, height: 2_400, density: 320 },
  battery: { percent: 87, status: 'charging' },
}
const device = { answers: { 'devices.get': () => ({ device: DEVICE }) } } satisfies BenchOptions
const element = { element: ELEMENT }

test.each<[string, object | undefined, [string, unknown?][]]>([
  ['activateApp', { appId: 'a.b' }, [['open_app', { applicationId: 'a.b' }]]],
  ['activateApp', { bundleId: 'a.b', appId: null }, [['open_app', { applicationId: 'a.b' }]]],
  ['clearApp', { appId: 'a.b' }, [['clear_app', { applicationId: 'a.b' }]]],
  ['installApp', { appPath: '/x.apk' }, [['install_app', { paths: ['/x.apk'], grantPermissions: false }]]],
  [
    'installMultipleApks',
    { apks: ['/x.apk', '/y.apk'], grantPermissions: true },
    [['install_app', { paths: ['/x.apk', '/y.apk'], grantPermissions: true }]],
  ],
  ['startActivity', { component: 'a.b/.Main' }, [['open_app', { applicationId: 'a.b', activity: '.Main' }]]],
  [
    'startActivity',
    {
      intent: 'a.b/.Main',
      stop: true,
      wait: true,
      extras: [
        ['s', 'name', 'x'],
        ['i', 'n', '5'],
        ['z', 'on', true],
      ],
    },
    [
      [
        'open_app',
        { applicationId: 'a.b', activity: '.Main', stopFirst: true, arguments: { name: 'x', n: 5, on: true } },
      ],
    ],
  ],
  ['startActivity', { action: 'android.intent.action.VIEW', uri: 'x://y' }, [['open_uri', { uri: 'x://y' }]]],
  [
    'deepLink',
    { url: 'x://y', package: 'a.b' },
    [
      ['open_uri', { uri: 'x://y' }],
      ['wait_for_navigation', { expectedPackage: 'a.b', timeoutMs: 15_000 }],
    ],
  ],
  ['pressKey', { keycode: 66 }, [['press_key', { key: 'enter' }]]],
  ['pressKey', { keycode: 29, metastate: 1 }, [['enter_text', { text: 'A', append: true }]]],
  ['pressKey', { keycode: 3, isLongPress: true }, [['press_key', { key: 'home', longPress: true }]]],
  ['performEditorAction', { action: 'search' }, [['press_key', { key: 'enter' }]]],
  ['clickGesture', { elementId: 'e1' }, [['click', { matcher: element }]]],
  [
    'clickGesture',
    { elementId: { 'element-6066-11e4-a52e-4f735466cecf': 'e1' }, x: 5, y: 7 },
    [['click', { matcher: element, point: { x: 5, y: 7, unit: 'pixel' } }]],
  ],
  ['clickGesture', { x: 5.4, y: 7 }, [['click', { coordinate: { x: 5, y: 7 } }]]],
  [
    'longClickGesture',
    { elementId: 'e1', duration: 900 },
    [['click', { matcher: element, clickType: 'long_click', holdMs: 900 }]],
  ],
  ['doubleClickGesture', { elementId: 'e1' }, [['double_tap', { matcher: element }]]],
  [
    'dragGesture',
    { elementId: 'e1', endX: 200, endY: 800, speed: 1_000 },
    [['drag', { from: { matcher: element }, to: { coordinate: { x: 200, y: 800 } }, durationMs: 500 }]],
  ],
  [
    'swipeGesture',
    { left: 0, top: 100, width: 200, height: 1_000, direction: 'up', percent: 0.5, speed: 1_000 },
    [['swipe', { start: { x: 100, y: 1_100 }, end: { x: 100, y: 600 }, durationMs: 500 }]],
  ],
  [
    'swipeGesture',
    { elementId: 'e1', direction: 'LEFT', percent: 1, speed: 1_000 },
    [['swipe', { start: { x: 280, y: 300 }, end: { x: 120, y: 300 }, durationMs: 160 }]],
  ],
  [
    'pinchOpenGesture',
    { elementId: 'e1', percent: 0.9, speed: 60 },
    [['pinch', { matcher: element, scale: 1.5, durationMs: 500 }]],
  ],
  [
    'changePermissions',
    { appPackage: 'a.b', permissions: 'android.permission.CAMERA', action: 'revoke' },
    [['set_permission', { applicationId: 'a.b', permission: 'android.permission.CAMERA', state: 'unset' }]],
  ],
  ['setClipboard', { content: 'w6k=', contentType: 'plaintext' }, [['set_clipboard', { text: 'é' }]]],
  ['lock', undefined, [['press_key', { key: 'sleep' }]]],
  [
    'lock',
    { seconds: 2 },
    [
      ['press_key', { key: 'sleep' }],
      ['sleep', { durationMs: 2_000 }],
      ['press_key', { key: 'wakeup' }],
    ],
  ],
  ['unlock', { key: '', type: 'pin' }, [['sleep', { durationMs: 0 }]]],
  [
    'setGeolocation',
    { latitude: 48.85, longitude: 2.35, altitude: 30 },
    [['change_setting', { setting: 'location', value: { latitude: 48.85, longitude: 2.35 } }]],
  ],
  [
    'setConnectivity',
    { wifi: false, airplaneMode: true },
    [
      ['change_setting', { setting: 'airplane_mode', value: true }],
      ['change_setting', { setting: 'wifi', value: false }],
    ],
  ],
  ['setUiMode', { mode: 'night', value: 'yes' }, [['change_setting', { setting: 'dark_mode', value: true }]]],
  ['powerCapacity', { percent: 20 }, [['change_setting', { setting: 'battery', value: { level: 20 } }]]],
  ['openNotifications', {}, [['expand_shade', { shade: 'notifications' }]]],
  ['acceptAlert', {}, [['answer_dialog', { answer: 'accept' }]]],
  ['dismissAlert', { buttonLabel: 'Later' }, [['answer_dialog', { answer: 'Later' }]]],
])('mobile: %s %j', async (name, args, steps) => {
  const { performed, value } = await run(name, args)
  expect(performed).toEqual([steps])
  expect(value).toBe(null)
})

test.each<[string, object, unknown]>([
  ['getCurrentPackage', {}, 'a.b'],
  ['getCurrentActivity', {}, '.ui.Main'],
  ['isKeyboardShown', {}, true],
  ['isLocked', {}, false],
  ['getDisplayDensity', {}, 320],
  ['getDeviceTime', {}, '2026-01-31T12:00:05+01:30'],
  ['getDeviceTime', { format: 'DD.MM.YYYY [at] HH:mm' }, '31.01.2026 at 12:00'],
  ['batteryInfo', {}, { level: 0.87, state: 2 }],
  [
    'deviceInfo',
    {},
    {
      ...{ manufacturer: 'Google', model: 'Pixel', apiVersion: '35', platformVersion: '15' },
      ...{ realDisplaySize: '1080x2400', displayDensity: 320 },
    },
  ],
])('mobile: %s %j reads', async (name, args, answer) => {
  const { value, performed } = await run(name, args, device)
  expect(value).toEqual(answer)
  expect(performed).toEqual([])
})

describe('applications', () => {
  const missing = { error: { code: 'APP_NOT_FOUND', message: 'No such application.' } }
  const running = (running: boolean) => ({
    answers: { ...device.answers, 'apps.frames': () => ({ frames: { running } }) },
  })

  test('their states are numbers', async () => {
    const absent = { answers: { 'apps.frames': () => missing } }
    expect((await run('queryAppState', { appId: 'x.y' }, absent)).value).toBe(0)
    expect((await run('queryAppState', { appId: 'x.y' }, running(false))).value).toBe(1)
    expect((await run('queryAppState', { appId: 'x.y' }, running(true))).value).toBe(3)
    expect((await run('queryAppState', { appId: 'a.b' }, running(true))).value).toBe(4)
  })
  test('one that does not run is not ended', async () => {
    const { value, performed } = await run('terminateApp', { appId: 'x.y' }, running(false))
    expect([value, performed]).toEqual([false, []])
    expect((await run('terminateApp', { appId: 'x.y' }, running(true))).value).toBe(true)
  })
  test('one that is not there is not removed; another failure is thrown', async () => {
    const failing = (code: string) => ({ step: () => ({ error: { code, message: 'No.' } }) })
    expect((await run('removeApp', { appId: 'x.y' }, failing('APP_NOT_FOUND'))).value).toBe(false)
    expect(await refusal('removeApp', { appId: 'x.y' }, failing('UNINSTALL_FAILED'))).toMatchObject({
      error: 'unknown error',
      data: { executionId: 'x1' },
    })
    expect((await run('removeApp', { appId: 'x.y' })).value).toBe(true)
  })
  test('one in the background comes back', async () => {
    const { performed, options } = await run('backgroundApp', { seconds: 50 }, device)
    expect(performed).toEqual([
      [
        ['press_key', { key: 'home' }],
        ['sleep', { durationMs: 50_000 }],
        ['open_app', { applicationId: 'a.b' }],
      ],
    ])
    expect(options[0]?.timeoutMs).toBeGreaterThan(50_000)
    expect((await run('backgroundApp', { seconds: -1 })).performed).toEqual([[['press_key', { key: 'home' }]]])
  })
})

test('the screen tells whether there is more to scroll', async () => {
  const outcome = (scroll_outcome: string) => ({ step: () => ({ scroll_outcome }) })
  const args = { elementId: 'e1', direction: 'down', percent: 1.5 }
  const { performed, value } = await run('scrollGesture', args, outcome('moved'))
  expect(value).toBe(true)
  expect(performed).toEqual([
    [
      ['scroll', { container: element, direction: 'down', distanceRatio: 1 }],
      ['scroll', { container: element, direction: 'down', distanceRatio: 0.5 }],
    ],
  ])
  expect((await run('scrollGesture', args, outcome('edge_reached'))).value).toBe(false)
  const area = { left: 0, top: 0, width: 100, height: 1_000, direction: 'down', percent: 0.5, speed: 1_000 }
  const moved = await run('flingGesture', { ...area, percent: undefined }, { screens: [SCREEN, `${SCREEN}\n`] })
  expect(moved.value).toBe(true)
  expect(moved.performed[0]?.[0]).toEqual([
    'swipe',
    { start: { x: 50, y: 1_000 }, end: { x: 50, y: 0 }, durationMs: 1_000 },
  ])
  expect((await run('scrollGesture', area)).value).toBe(false)
})

describe('scrolling to a locator', () => {
  test('does nothing for what is in sight', async () => {
    const { performed, value } = await run('scroll', { strategy: 'class name', selector: 'android.widget.Button' })
    expect([performed, value]).toEqual([[], null])
  })
  test('goes to the beginning, then to the end, and says that nothing was found', async () => {
    const scrolls: unknown[] = []
    const step: BenchOptions['step'] = ({ params }) => {
      scrolls.push(params?.direction)
      return { scroll_outcome: scrolls.length % 3 === 0 ? 'edge_reached' : 'moved' }
    }
    expect(await refusal('scroll', { strategy: 'accessibility id', selector: 'gone' }, { step })).toMatchObject({
      error: 'no such element',
    })
    expect(scrolls).toEqual(['up', 'up', 'up', 'down', 'down', 'down'])
  })
})

test('the shell answers its output, and fails with its exit code', async () => {
  const says = (data: Record<string, string>) => ({ step: () => data })
  const args = { command: 'am', args: ['start', '-n', 'a/b'] }
  const { value, performed } = await run('shell', args, says({ stdout: 'ok\n', stderr: '', exit_code: '0' }))
  expect([value, performed]).toEqual(['ok\n', [[['shell', { command: 'am start -n a/b' }]]]])
  expect(await refusal('shell', args, says({ stderr: 'no', exit_code: '3' }))).toMatchObject({
    message: 'The command ended with exit code 3. no',
    data: { exitCode: 3 },
  })
})

test.each<[string, object, string, string]>([
  [
    'clickGesture',
    { elemntId: 'e1' },
    'invalid argument',
    'has no argument "elemntId". Did you mean elementId? It takes elementId, x, y.',
  ],
  ['clickGesture', { x: 'a', y: 1 }, 'invalid argument', 'The argument x of mobile: clickGesture must be a number'],
  ['clickGesture', { x: 1 }, 'invalid argument', 'needs both x and y'],
  ['deepLink', {}, 'invalid argument', 'needs the argument url'],
  ['activateApp', {}, 'invalid argument', 'appId is needed'],
  ['pressKey', { keycode: 9_999 }, 'invalid argument', 'no key that Android has a name for'],
  ['pressKey', { keycode: 29, metastate: 4_096 }, 'unsupported operation', 'a letter with shift'],
  ['swipeGesture', { elementId: 'e1', direction: 'up', percent: 2 }, 'invalid argument', 'percent'],
  ['swipeGesture', { direction: 'up', percent: 1 }, 'invalid argument', 'needs elementId, or left'],
  ['changePermissions', { permissions: 'all', target: 'appops' }, 'unsupported operation', 'appops'],
  ['startActivity', { component: 'a/b', action: 'x.VIEW' }, 'unsupported operation', 'What works'],
  ['setGeolocation', { latitude: 1, longitude: 1, speed: 3 }, 'unsupported operation', 'speed'],
  ['installApp', { appPath: 'https://x/y.apk' }, 'invalid argument', 'is an address'],
  ['setClipboard', { content: '!!' }, 'invalid argument', 'content must be base64'],
  ['clickGestur', {}, 'unknown method', 'there is no "mobile: clickGestur". Did you mean clickGesture?'],
  ['startLogsBroadcast', {}, 'unknown method', 'unknown method: there is no "mobile: startLogsBroadcast"'],
])('mobile: %s %j is refused', async (name, args, error, message) => {
  expect(await refusal(name, args)).toMatchObject({ error, message: expect.stringContaining(message) })
})

test('a text of an argument is not repeated in errors: it may be a secret', async () => {
  expect(String(await refusal('lock', { seconds: 'hunter2' }))).not.toContain('hunter2')
})

test('a script that is none, and arguments that are no object', async () => {
  const { session } = webDriverBench()
  const ask = (body: object) => execute?.run(session, { path: {}, body: { ...body } })
  await expect(ask({ script: 'return 1', args: [] })).rejects.toMatchObject({ error: 'unknown method' })
  await expect(ask({ script: 'mobile:lock', args: ['x'] })).rejects.toMatchObject({ error: 'invalid argument' })
  await expect(ask({ script: 'mobile:lock', args: [null] })).resolves.toBe(null)
})

test('every name of a key has its number', () => {
  expect(KEY_CODES.every(code => isKeyName(keyOfCode(code) ?? ''))).toBe(true)
  const named = new Set(KEY_CODES.map(keyOfCode))
  expect(KEY_NAMES.filter(name => !named.has(name))).toEqual(['recents', 'delete'])
  expect([4, 66, 82, 187, 223, 243, 279].map(keyOfCode)).toEqual([
    'back',
    'enter',
    'menu',
    'app_switch',
    'sleep',
    'tv_input_hdmi_1',
    'paste',
  ])
})

test.each<[string, object]>([
  ['pushFile', { remotePath: '/sdcard/../data/x', payload: '' }],
  ['pullFile', { remotePath: '@a.b/files/../../x' }],
  ['pullFolder', { remotePath: '/sdcard/..' }],
  ['deleteFile', { remotePath: '/sdcard/../x' }],
])('%s refuses a path that goes up', async (name, args) => {
  expect(await refusal(name, args)).toMatchObject({ error: 'invalid argument' })
})

test('a clipboard takes no bytes that are no text', async () => {
  const content = Buffer.from([0xff, 0xfe]).toString('base64')
  expect(await refusal('setClipboard', { content })).toMatchObject({
    error: 'invalid argument',
    message: expect.stringContaining('UTF-8'),
  })
})

test.each<[string, object]>([
  ['clickGesture', { x: 2_000, y: 10 }],
  ['longClickGesture', { x: 10, y: 2_401 }],
  ['doubleClickGesture', { x: 5_000, y: 5_000 }],
  ['dragGesture', { startX: 1, startY: 1, endX: 1, endY: 9_999 }],
  ['dragGesture', { elementId: 'e1', endX: 9_999, endY: 1 }],
  ['swipeGesture', { left: 0, top: 3_000, width: 10, height: 10, direction: 'up', percent: 1 }],
  ['scrollGesture', { left: 3_000, top: 0, width: 10, height: 10, direction: 'up', percent: 1 }],
  ['flingGesture', { left: -50, top: 0, width: 10, height: 10, direction: 'up' }],
  ['pinchOpenGesture', { left: 2_000, top: 0, width: 10, height: 10, percent: 1 }],
])('%s %j lies outside of the screen', async (name, args) => {
  const answers = { 'devices.get': () => ({ device: { ...DEVICE, orientation: 'portrait' } }) }
  const bench = await run(name, args, { answers }).catch((error: unknown) => error)
  expect(bench).toMatchObject({ error: 'move target out of bounds' })
})

test('a screen that has turned is read again before a point is refused', async () => {
  let orientation = 'portrait'
  let reads = 0
  const { session, performed } = webDriverBench({
    answers: { 'devices.get': () => ({ device: { ...DEVICE, orientation, n: ++reads } }) },
  })
  const tap = (x: number, y: number) =>
    execute?.run(session, { path: {}, body: { script: 'mobile: clickGesture', args: [{ x, y }] } })
  await tap(1_080, 2_400)
  await tap(5, 5)
  expect(reads).toBe(1)
  orientation = 'landscape'
  await tap(2_400, 1_080)
  expect([reads, performed.length]).toEqual([2, 3])
})
