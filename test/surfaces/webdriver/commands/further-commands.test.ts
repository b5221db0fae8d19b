/** The commands beside elements and screen, each over a phone that the test plays. */
import { describe, expect, test } from 'vitest'
import { FURTHER_COMMANDS, SESSION_COMMANDS } from '../../../../src/surfaces/webdriver/commands/session-commands.ts'
import { type BenchOptions, SCREEN, webDriverBench } from '../../../support/webdriver/webdriver-bench.ts'

const command = (method: string, path: string) => {
  const found = FURTHER_COMMANDS.find(each => each.method === method && each.path === path)
  if (!found) throw new Error(`no ${method} ${path}`)
  return found
}

const ask = async (
  method: string,
  path: string,
  body = {},
  options: BenchOptions | ReturnType<typeof webDriverBench> = {},
) => {
  const bench = 'session' in options ? options : webDriverBench(options)
  return { ...bench, value: await command(method, path).run(bench.session, { path: {}, body }) }
}

const refusal = (...given: Parameters<typeof ask>) =>
  ask(...given).then(
    () => undefined,
    (error: unknown) => error,
  )

const change = (setting: string, value: unknown) => ['change_setting', { setting, value }]

test('no command is there twice', () => {
  const names = SESSION_COMMANDS.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(names).size).toBe(names.length)
})

test.each<[string, object, unknown[], unknown]>([
  ['/appium/device/activate_app', { appId: 'a.b', options: {} }, ['open_app', { applicationId: 'a.b' }], null],
  [
    '/appium/device/install_app',
    { appPath: '/x.apk', options: { grantPermissions: true, timeout: 5 } },
    ['install_app', { paths: ['/x.apk'], grantPermissions: true }],
    null,
  ],
  [
    '/appium/device/remove_app',
    { bundleId: 'a.b', options: { keepData: true } },
    ['uninstall_app', { applicationId: 'a.b', keepData: true }],
    true,
  ],
  ['/appium/device/press_keycode', { keycode: 4 }, ['press_key', { key: 'back' }], null],
  ['/appium/device/keyevent', { keycode: '4' }, ['press_key', { key: 'back' }], null],
  ['/appium/device/long_press_keycode', { keycode: 26 }, ['press_key', { key: 'power', longPress: true }], null],
  [
    '/appium/device/set_clipboard',
    { content: 'eA==', contentType: 'PLAINTEXT' },
    ['set_clipboard', { text: 'x' }],
    null,
  ],
  ['/appium/device/open_notifications', {}, ['expand_shade', { shade: 'notifications' }], null],
  [
    '/appium/device/start_activity',
    { appPackage: 'a.b', appActivity: '.Main', dontStopAppOnReset: 'true' },
    ['open_app', { applicationId: 'a.b', activity: '.Main' }],
    null,
  ],
  ['/rotation', { x: 0, y: 0, z: 90 }, change('orientation', 'landscape_left'), null],
  [
    '/location',
    { location: { latitude: 1, longitude: 2, altitude: 3 } },
    change('location', { latitude: 1, longitude: 2 }),
    null,
  ],
  ['/alert/accept', {}, ['answer_dialog', { answer: 'accept' }], null],
  ['/alert/dismiss', {}, ['answer_dialog', { answer: 'dismiss' }], null],
])('POST %s %j', async (path, body, step, answer) => {
  const { performed, value } = await ask('POST', path, body)
  expect(performed).toEqual([[step]])
  expect(value).toBe(answer)
})

describe('a dialog', () => {
  const dialog = SCREEN.replace('text="Save" resource-id="a.b:id/save"', 'text="OK" resource-id="android:id/button1"')
  const withWords = dialog.replace(
    '<node index="0" text="OK"',
    `<node index="9" text="Sure?" resource-id="android:id/alertTitle" class="android.widget.TextView" package="a.b" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][10,10]" />
     <node index="9" text="All is lost." resource-id="android:id/message" class="android.widget.TextView" package="a.b" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,10][10,20]" />
     <node index="0" text="OK"`,
  )

  test('says its title and its text', async () => {
    expect((await ask('GET', '/alert/text', {}, { screens: [withWords] })).value).toBe('Sure?\nAll is lost.')
  })
  test('that says nothing is a dialog all the same', async () => {
    expect((await ask('GET', '/alert/text', {}, { screens: [dialog] })).value).toBe('')
  })
  test('that is not there', async () => {
    expect(await refusal('GET', '/alert/text')).toMatchObject({ error: 'no such alert' })
    const step = () => ({ error: { code: 'DIALOG_NOT_FOUND', message: 'No dialog.' } })
    expect(await refusal('POST', '/alert/accept', {}, { step })).toMatchObject({ error: 'no such alert' })
  })
})

describe('orientation', () => {
  const turned = (orientation: string) => ({ answers: { 'devices.get': () => ({ device: { orientation } }) } })

  test('is set and read', async () => {
    expect((await ask('GET', '/orientation', {}, turned('landscape'))).value).toBe('LANDSCAPE')
    const { performed, value } = await ask('POST', '/orientation', { orientation: 'landscape' }, turned('landscape'))
    expect([performed, value]).toEqual([[[change('orientation', 'landscape_left')]], null])
  })
  test('that the application refuses is told', async () => {
    expect(await refusal('POST', '/orientation', { orientation: 'LANDSCAPE' }, turned('portrait'))).toMatchObject({
      error: 'invalid element state',
    })
  })
  test('in degrees', async () => {
    const screens = [SCREEN.replace('rotation="0"', 'rotation="3"')]
    expect((await ask('GET', '/rotation', {}, { screens })).value).toEqual({ x: 0, y: 0, z: 270 })
    expect(await refusal('POST', '/rotation', { x: 0, y: 0, z: 45 })).toMatchObject({ error: 'invalid argument' })
  })
})

test('without a page the native context is the only one', async () => {
  const pages = { step: () => ({ answer: '[]' }) }
  expect((await ask('GET', '/contexts', {}, pages)).value).toEqual(['NATIVE_APP'])
  expect((await ask('GET', '/context')).value).toBe('NATIVE_APP')
  expect((await ask('POST', '/context', { name: 'NATIVE_APP' })).value).toBe(null)
  expect(await refusal('POST', '/context', { name: 'WEBVIEW_a.b' }, pages)).toMatchObject({ error: 'no such context' })
})

test('settings of the session are told back, unknown ones too', async () => {
  const bench = webDriverBench()
  await ask('POST', '/appium/settings', { settings: { ignoreUnimportantViews: true, mine: [1] } }, bench)
  expect((await ask('GET', '/appium/settings', {}, bench)).value).toEqual({ ignoreUnimportantViews: true, mine: [1] })
})

test('connections are bits', async () => {
  const settings = { wifi: true, mobile_data: true, airplane_mode: false }
  const answers = { 'settings.get': () => ({ settings }) }
  expect((await ask('GET', '/network_connection', {}, { answers })).value).toBe(6)
  const { performed, value } = await ask('POST', '/network_connection', { parameters: { type: 2 } })
  expect(value).toBe(2)
  expect(performed).toEqual([[change('airplane_mode', false), change('wifi', true), change('mobile_data', false)]])
  const toggled = await ask('POST', '/appium/device/toggle_wifi', {}, { answers })
  expect(toggled.performed).toEqual([[change('wifi', false)]])
})

test('each line of the log is answered once', async () => {
  const asked: unknown[] = []
  const line = (message: string, position: string) => ({
    ...{ time: '2026-01-31T12:00:00.000500Z', pid: 7, tid: 8, level: 'warn', tag: 'App', message, position },
  })
  const bench = webDriverBench({
    answers: {
      'logs.read': input => {
        asked.push(input)
        return asked.length === 1 ? { lines: [line('a', 'p1')], position: 'p1' } : { lines: [], position: 'p2' }
      },
    },
  })
  expect((await ask('POST', '/se/log', { type: 'logcat' }, bench)).value).toEqual([
    { timestamp: 1_769_860_800_000, level: 'WARNING', message: 'App(7): a' },
  ])
  expect((await ask('POST', '/log', { type: 'logcat' }, bench)).value).toEqual([])
  expect(asked).toMatchObject([{ deviceId: 'd1' }, { after: 'p1', take: 'first' }])
  expect(await refusal('POST', '/se/log', { type: 'server' })).toMatchObject({ error: 'invalid argument' })
})

test.each([
  ['/appium/device/start_activity', { appPackage: 'a.b', appActivity: '.C', intentFlags: '0x10' }, 'intentFlags'],
  [
    '/appium/device/start_activity',
    { appPackage: 'a.b', appActivity: '.C', optionalIntentArguments: '--ez x true' },
    'optionalIntentArguments',
  ],
  ['/appium/device/install_app', { appPath: '/a.apk', options: { useSdcard: true } }, 'useSdcard'],
  ['/appium/start_recording_screen', { options: { bugReport: true } }, 'bugReport'],
])('%s refuses an argument that would change what it does: %j', async (path, body, name) => {
  expect(await refusal('POST', path, body, { answers: {} })).toMatchObject({
    error: 'invalid argument',
    message: expect.stringContaining(`does not take the argument ${name}`),
  })
})

test('an argument that a client sends unset counts as left out', async () => {
  const answers: BenchOptions['answers'] = {
    'recording.start': () => ({ recording: { recordingId: 'r1', state: 'recording', segments: [], folder: '/' } }),
  }
  const options = { remotePath: '', bugReport: 'false' }
  expect((await ask('POST', '/appium/start_recording_screen', { options }, { answers })).value).toBe('')
})

describe('a recording', () => {
  const recording = (state: string, segments: object[] = []) => ({
    recording: { recordingId: 'r1', state, segments, folder: '/nowhere' },
  })
  test('is started with the options of Appium', async () => {
    const asked: unknown[] = []
    const answers: BenchOptions['answers'] = {
      'recording.start': input => {
        asked.push(input)
        return recording('recording')
      },
    }
    const options = { timeLimit: '60', bitRate: 4_000_000, videoSize: '720x1280', forceRestart: true }
    expect((await ask('POST', '/appium/start_recording_screen', { options }, { answers })).value).toBe('')
    expect(asked).toEqual([{ deviceId: 'd1', forMs: 60_000, bitRate: 4_000_000, size: '720x1280' }])
  })
  const start = ['POST', '/appium/start_recording_screen', {}] as const
  test.each(['/appium/start_recording_screen', '/appium/stop_recording_screen'])(
    '%s sends no video away, and says where it is',
    async path => {
      const options = { remotePath: 'https://example.com/videos', method: 'PUT' }
      expect(await refusal('POST', path, { options }, { answers: {} })).toMatchObject({
        error: 'invalid argument',
        message: expect.stringMatching(/remotePath.*base64/),
      })
    },
  )
  test('of several videos is not cut to its first', async () => {
    const answers = {
      'recording.start': () => recording('recording'),
      'recording.status': () => recording('recording'),
      'recording.stop': () => recording('saved', [{ file: 'a.mp4' }, { file: 'b.mp4' }]),
    }
    const bench = await ask(...start, { answers })
    expect(await refusal('POST', '/appium/stop_recording_screen', {}, bench)).toMatchObject({
      message: expect.stringContaining('has 2 videos'),
    })
  })
  test('of somebody else is not answered', async () => {
    const answers = {
      'recording.status': () => recording('saved', [{ file: 'a.mp4' }]),
    }
    expect(await refusal('POST', '/appium/stop_recording_screen', {}, { answers })).toMatchObject({
      data: { code: 'RECORDING_NOT_FOUND' },
    })
  })
})
