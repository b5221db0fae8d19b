/** Each action with the least and the most that it accepts, and where it refuses the rest. */
import { describe, expect, test } from 'vitest'
import { Retry } from '../../src/contracts/actions/shape.ts'
import { Action, type ActionType } from '../../src/contracts/executions/action.ts'
import { accept, complaints } from './parse.ts'

type Params = Readonly<Record<string, unknown>>

interface Row {
  /** The least that is accepted; missing for an action whose params may be left out. */
  least?: Params
  /** The defaults that come with the least. */
  fills?: Params
  /** Whole numbers, each from the least to the most. */
  bounds?: Readonly<Record<string, readonly [min: number, max: number]>>
  /** Further params that are accepted with the least: bounds, choices and other forms. */
  most?: readonly Params[]
  /** Params that are accepted without the least. */
  instead?: readonly Params[]
  /** Values of one param that are refused there, beside the least. */
  refused?: Readonly<Record<string, readonly unknown[]>>
  /** Params that are refused at a path, `''` for the params themselves, with nothing else beside them. */
  refusedAt?: Readonly<Record<string, readonly unknown[]>>
}

const long = (count: number) => 'x'.repeat(count)
const many = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
const named = (count: number) => Object.fromEntries(many(count, at => [`n${at}`, at]))

/** Texts that no device takes. */
const BROKEN = ['', 7, null, 'a\0b', 'a\ud83d', '\ude00a']
const BLANK = [...BROKEN, ' \n\t']
const matcher = { textEquals: 'OK', role: 'button' }
const BAD_MATCHERS = [{}, [], 'OK', null]
const coordinate = { x: 0, y: 5_000 }
const percent = { x: 0, y: 100, unit: 'percent' }
const pixel = { x: 7, y: 3, unit: 'pixel' }

const applicationId = 'com.example'
const app = { least: { applicationId }, refused: { applicationId: BLANK } }
const CAMERA = 'android.permission.CAMERA'
const CONTROLS = [...'\u0001\u0007\u0008\u000b\u000d\u001b\u001f\u007f\u0085\u009f'].map(control => `a${control}b`)
const COLOURS = ['FFFFFF', '#FFF', '#FFFFF', '#FFFFFFF', '#FFFFFFFFF', '#GGGGGG', ' #FFFFFF', '#FFFFFF\n', 'red', 1]
const retry = { maxAttempts: 10 }
const scrolling = { direction: 'down', distanceRatio: 0.7, settleDelayMs: 250, findFirstScrollableChild: true }
const SCROLLING_MOST = { direction: 'left', distanceRatio: 1, settleDelayMs: 10_000, container: matcher, retry }
const SCROLLING_REFUSED = {
  direction: ['Down', 1],
  distanceRatio: [-0.001, 1.001, '1'],
}
const place = { applicationId, page: 'ab-12' }

const ROWS: Record<ActionType, Row> = {
  open_app: {
    ...app,
    fills: { skipNavigationWait: false, navigationTimeoutMs: 15_000 },
    bounds: { navigationTimeoutMs: [1_000, 120_000] },
    most: [
      { clearState: true, stopFirst: true },
      ...['.Detail', 'com.example.Detail', 'Main$Inner', '_a.b1', long(255)].map(activity => ({ activity })),
      ...[{}, { 'a name': '', n: -1.5, b: false }, named(50)].map(args => ({ arguments: args })),
      ...[{}, { all: 'deny', [CAMERA]: 'allow', media: 'unset' }].map(permissions => ({ permissions })),
    ],
    refused: {
      applicationId: BLANK,
      package: [applicationId],
      activity: ['', long(256), 'com.example/.Detail', '.', 'a b', '.De-tail', "x'; reboot #", '1.A'],
      arguments: [
        ...[named(51), { '': 'a' }, { ' ': 'a' }, { [long(201)]: 'a' }, { a: long(8_192) }],
        ...['{"__proto__": 1}', '{"constructor": "x"}', '{"prototype": true}'].map(text => JSON.parse(text)),
      ],
      permissions: [{ nonsense: 'allow' }, { CAMERA: 'allow' }, { 'a b.c': 'deny' }],
    },
    refusedAt: {
      'arguments.a': [null, [], {}, 'a\0b', '\ud800', Number.POSITIVE_INFINITY].map(a => ({
        ...{ applicationId, arguments: { a } },
      })),
      'permissions.camera': [{ applicationId, permissions: { camera: 'yes' } }],
    },
  },
  open_uri: {
    least: { uri: 'https://example.com/?q=1' },
    most: [{ uri: long(2_048) }],
    refused: { uri: [...BLANK, long(2_049)] },
  },
  close_app: { ...app, most: [{ background: true }] },
  install_app: {
    least: { paths: ['app.apk'] },
    fills: { grantPermissions: false, downgrade: false },
    most: [{ paths: many(50, at => `${at}.apk`) }],
    refused: { paths: [[], many(51, at => `${at}.apk`), 'app.apk'] },
    refusedAt: { 'paths.1': [{ paths: ['a.apk', ' '] }] },
  },
  uninstall_app: { ...app, fills: { keepData: false } },
  clear_app: { ...app, refused: { keepData: [true] } },
  set_permission: {
    least: { applicationId, permission: 'camera', state: 'allow' },
    most: ['all', CAMERA, 'com.example.permission.OWN'].map(permission => ({ permission, state: 'unset' })),
    refused: {
      permission: ['', 'Camera', 'CAMERA', 'android.permission.', "a.b'; reboot #", `a.${long(254)}`, 7],
      state: ['', 'bogus', null],
    },
  },
  measure_startup: {
    ...app,
    fills: { runs: 5, stopFirst: true },
    bounds: { runs: [1, 20] },
  },
  push_file: {
    least: { from: 'a.txt', to: '/sdcard/a.txt' },
    fills: { overwrite: true },
    most: [{ to: 'files/a.txt', applicationId }],
    refused: { to: ['', 'files/a.txt', `/${long(8_000)}`], from: BLANK },
  },
  pull_file: {
    least: { from: '/sdcard/a.txt', to: 'a.txt' },
    fills: { overwrite: false },
    most: [{ from: 'files/a.txt', applicationId }],
    refused: { from: ['', 'files/a.txt'], to: BLANK },
  },
  remove_file: {
    least: { path: '/sdcard/a.txt' },
    fills: { recursive: false },
    most: [{ path: 'files/a.txt', applicationId }],
    refused: { path: ['', 'files/a.txt'] },
  },
  add_media: { least: { paths: ['a.png'] }, refused: { paths: [[], 'a.png'] } },
  click: {
    least: { matcher },
    fills: { clickType: 'default' },
    most: [
      ...['default', 'long_click', 'focus'].map(clickType => ({ clickType, retry })),
      { point: pixel },
      { clickType: 'long_click', holdMs: 3_000 },
    ],
    instead: [
      { coordinate },
      { coordinate, clickType: 'long_click', holdMs: 3_000 },
      { point: percent, repeat: 100, repeatDelayMs: 0 },
      { matcher: { flow: { text: 'OK' } } },
    ],
    refused: {
      matcher: BAD_MATCHERS,
      clickType: ['', 'bogus', 1],
      holdMs: [3_000],
      repeat: [0],
    },
    refusedAt: {
      '': [{}, { clickType: 'default' }, { matcher, coordinate }, { point: pixel }, 'text', []],
      clickType: [
        { coordinate, clickType: 'focus' },
        { matcher, point: percent, clickType: 'focus' },
      ],
      coordinate: [{ coordinate: [1, 1] }, { coordinate: null }],
      'coordinate.x': [-1, 1.5].map(x => ({ coordinate: { x, y: 0 } })),
      'coordinate.y': [{ x: 1 }, { x: 1, y: '1' }, { x: 0, y: -1 }].map(one => ({ coordinate: one })),
      'coordinate.z': [{ coordinate: { x: 1, y: 1, z: 1 } }],
      point: [{ coordinate, point: pixel }],
      'point.x': [
        { matcher, point: { ...percent, x: 101 } },
        { matcher, point: { ...pixel, x: 1.5 } },
      ],
      'point.unit': [{ matcher, point: coordinate }],
      holdMs: [{ matcher, clickType: 'long_click', holdMs: 0 }],
      'matcher.text': [{ matcher: { ...matcher, text: 'OK' } }],
      'matcher.textEquals': [{ matcher: { textEquals: '' } }],
      'retry.maxAttempts': [{ matcher, retry: { maxAttempts: 11 } }],
    },
  },
  swipe: {
    least: { start: { x: 0, y: 0 }, end: { x: 10, y: 10 } },
    fills: { durationMs: 300 },
    most: [{ start: percent, end: pixel }],
    instead: [
      { direction: 'up' },
      { direction: 'up', from: { coordinate } },
      { direction: 'up', from: { matcher }, point: percent },
    ],
    bounds: { durationMs: [1, 10_000] },
    refused: { retry: [retry] },
    refusedAt: {
      '': [
        { start: coordinate, end: coordinate, direction: 'up' },
        { start: coordinate, end: coordinate, from: { matcher } },
        { direction: 'up', point: percent },
        { direction: 'up', from: { coordinate }, point: percent },
        { direction: 'up', start: coordinate },
        { from: { matcher } },
      ],
      start: [{ from: { matcher } }, { end: coordinate }],
      end: [{ start: coordinate }],
      'start.y': [{ start: { x: 0, y: -1 }, end: coordinate }],
      'end.y': [{ x: 1, y: null }, { x: 1 }].map(end => ({ start: coordinate, end })),
      'end.x': [{ start: coordinate, end: { ...percent, x: 101 } }],
    },
  },
  double_tap: {
    least: { matcher },
    instead: [{ coordinate }, { point: percent }],
    refusedAt: { '': [{}, { matcher, coordinate }], 'coordinate.y': [{ coordinate: { x: 1 } }] },
  },
  drag: {
    least: { from: { matcher }, to: { coordinate } },
    fills: { holdMs: 500, durationMs: 600 },
    refused: { holdMs: [-1], durationMs: [10_001], from: [{}], to: [{ matcher, coordinate }] },
  },
  pinch: {
    least: { matcher, scale: 2 },
    fills: { durationMs: 400 },
    refused: { scale: [1, 0, '2'], durationMs: [49, 10_001] },
    refusedAt: { '': [{ scale: 2 }] },
  },
  move_fingers: {
    least: {
      fingers: [
        [
          { x: 0, y: 0, ms: 0 },
          { x: 1, y: 1, ms: 9 },
        ],
      ],
    },
    refused: {
      fingers: [
        [],
        [
          [
            { x: 0, y: 0, ms: 0 },
            { x: 1, y: 1, ms: 9 },
          ],
          [
            { x: 0, y: 0, ms: 0 },
            { x: 1, y: 1, ms: 8 },
          ],
        ],
      ],
    },
    refusedAt: {
      'fingers.0': [1, 0].map(ms => ({
        fingers: [
          [
            { x: 0, y: 0, ms },
            { x: 1, y: 1, ms },
          ],
        ],
      })),
    },
  },
  enter_text: {
    least: { text: 'x' },
    fills: { append: false, clear: false, submit: false },
    most: [
      { matcher, text: 'two\nlines', append: true },
      { text: long(512), clear: true },
      { text: 'ä😀', submit: true },
      { text: ' ' },
    ],
    refused: { text: [...BROKEN, long(513)] },
    refusedAt: { append: [{ matcher, text: 'x', append: true, clear: true }], text: [{ matcher }] },
  },
  erase_text: { fills: { characters: 50 }, refused: { characters: [0, null] } },
  press_key: {
    least: { key: 'back' },
    most: ['home', 'recents', 'enter', 'delete', 'app_switch', '7'].map(key => ({ key })),
    refused: { key: [' back', 'KEYCODE_BACK', 'volume', '', 'ſ', '1 2', 'back; reboot', 1, null] },
  },
  hide_keyboard: { refused: { now: [true] } },
  expand_shade: { least: { shade: 'quick_settings' }, refused: { shade: ['all', 1] } },
  collapse_shade: { refused: { now: [true] } },
  answer_dialog: { least: { answer: long(200) }, refused: { answer: [...BLANK, long(201)] } },
  get_clipboard: { refused: { text: ['x'] } },
  set_clipboard: {
    least: { text: '' },
    most: [{ text: 'two\nlines' }, { text: long(8_000) }],
    refused: { text: [long(8_001), 7] },
  },
  shell: {
    least: { command: 'ls\t-l' },
    most: [{ command: 'é'.repeat(4_000) }],
    refused: { command: [...BLANK, 'a\nb', 'a\rb', long(8_001), 'é'.repeat(4_001)], user: [0] },
  },
  read_text: {
    least: { matcher },
    fills: { all: false },
    most: [
      { container: matcher, retry, validator: 'temperature' },
      { validator: 'regex', validatorPattern: '^\\d+%$' },
      { validator: 'version', validatorPattern: long(512) },
    ],
    refused: {
      validator: ['bogus'],
      validatorPattern: ['*', '(', '[z-a]', long(513), ...BROKEN],
    },
    refusedAt: {
      validatorPattern: [{ matcher, validator: 'regex' }],
      all: [{ matcher: { ...matcher, index: 1 }, all: true }],
    },
  },
  read_key_value_pair: {
    least: { labelMatcher: matcher },
    fills: { all: false },
    refused: { matcher: [matcher] },
  },
  snapshot: { refused: { format: ['xml'] } },
  take_screenshot: { most: [{ path: 'a.png' }], refused: { path: BLANK } },
  wait_for_node: {
    least: { matcher },
    fills: { timeoutMs: 10_000 },
    most: [{ state: 'gone', retry }],
    bounds: { timeoutMs: [1, 120_000] },
    refused: { state: ['bogus'] },
  },
  wait_for_navigation: {
    least: { expectedPackage: applicationId, timeoutMs: 1 },
    most: [{ expectedNode: matcher }],
    instead: [{ expectedNode: matcher, timeoutMs: 1 }],
    bounds: { timeoutMs: [1, 30_000] },
    refused: { expectedPackage: BLANK },
    refusedAt: { '': [{ timeoutMs: 1_000 }] },
  },
  wait_for_idle: { fills: { timeoutMs: 5_000 }, refused: { timeoutMs: [0, null] } },
  sleep: { least: { durationMs: 0 }, bounds: { durationMs: [0, 120_000] } },
  scroll: {
    fills: scrolling,
    most: [SCROLLING_MOST],
    refused: { ...SCROLLING_REFUSED, matcher: [matcher] },
  },
  scroll_until: {
    fills: { ...scrolling, maxScrolls: 20, maxDurationMs: 10_000, noPositionChangeThreshold: 3, clickAfter: false },
    most: [SCROLLING_MOST, { matcher, clickAfter: true }],
    bounds: { maxScrolls: [1, 200], maxDurationMs: [0, 120_000], noPositionChangeThreshold: [1, 20] },
    refused: {
      ...SCROLLING_REFUSED,
      clickAfter: [true, 'yes'],
      maxSwipes: [3],
    },
    refusedAt: { container: [{ container: matcher, wholeScreen: true }] },
  },
  scroll_and_click: {
    least: { matcher },
    fills: { ...scrolling, maxSwipes: 10, clickAfter: true, clickType: 'default' },
    most: [{ ...SCROLLING_MOST, clickType: 'focus' }],
    bounds: { maxSwipes: [1, 50] },
    refused: {
      ...SCROLLING_REFUSED,
      clickType: ['bogus'],
      maxScrolls: [3],
    },
  },
  show_toast: {
    least: { text: 'Hi' },
    fills: { duration: 'short' },
    most: [{ text: long(2_048), duration: 'long' }],
    refused: { text: [...BLANK, long(2_049)], duration: ['bogus'], template: ['{{device.model}}'] },
  },
  cancel_toast: {},
  set_on_screen_log: {
    least: { text: 'Running' },
    fills: {
      ...{ anchor: 'left', textAlign: 'left', topOffsetDp: 8, edgeOffsetDp: 8, widthDp: 280, fontSizeSp: 12 },
      ...{ textColor: '#FFFFFFFF', backgroundColor: '#B3000000', ttlMs: 300_000 },
    },
    most: [
      { text: 'line\n\tindented' },
      { text: long(2_048) },
      { anchor: 'right', textAlign: 'right', textColor: '#00ff7F', backgroundColor: '#80ABCDEF' },
    ],
    instead: ['on {{device.model}}', '{{{{not a placeholder}}}}', long(2_048)].map(template => ({ template })),
    bounds: {
      topOffsetDp: [0, 1_000],
      edgeOffsetDp: [0, 1_000],
      widthDp: [80, 600],
      fontSizeSp: [8, 24],
      ttlMs: [1_000, 3_600_000],
    },
    refused: {
      text: [...BLANK, ...CONTROLS, long(2_049)],
      anchor: ['bogus'],
      textAlign: ['bogus'],
      textColor: COLOURS,
      backgroundColor: COLOURS,
    },
    refusedAt: {
      '': [{}, { text: 'a', template: 'b' }],
      template: [...BLANK, ...CONTROLS, long(2_049)].map(template => ({ template })),
    },
  },
  clear_on_screen_log: {},
  change_setting: {
    least: { setting: 'dark_mode', value: true },
    fills: { force: false },
    refused: { setting: ['bogus'], value: ['bogus'], applicationId: [applicationId] },
  },
  restore_settings: { most: [{ settings: ['dark_mode'] }], refused: { settings: [[]] } },
  read_page: {
    least: { read: 'pages' },
    most: [{ ...place, read: 'find', by: 'xpath', value: '//a', index: 0, most: 1 }],
    refused: { read: ['bogus'], by: ['bogus'], page: ['a b'], element: ['1'], index: [-1], most: [0] },
  },
  change_page: {
    least: { ...place, change: 'back' },
    most: [{ change: 'navigate', uri: 'https://example.com/' }],
    refused: { uri: ['javascript:x', 'JavaScript:x', 'example.com', 'https://a b'], change: ['bogus'] },
  },
  page_script: {
    least: { ...place, script: '' },
    fills: { args: '[]', isAsync: false, timeoutMs: 30_000 },
    refused: { timeoutMs: [-1, null] },
  },
}

const action = (type: string, params: unknown) => ({ id: 'step-1', type, params })
const pathOf = (key: string) => (key === '' ? 'params' : `params.${key}`)

describe.each(Object.entries(ROWS))('%s', (type, row) => {
  const { least, fills, bounds = {}, most = [], instead = [], refused = {}, refusedAt = {} } = row

  test('takes its least, with defaults, and its most', () => {
    const filled = { ...least, ...fills }
    const bare = { id: 'step-1', type }
    expect(accept(Action, action(type, least ?? {}))).toEqual(action(type, filled))
    if (least) expect(complaints(Action, bare)).toContain('params')
    else expect(accept(Action, bare)).toEqual(fills ? action(type, fills) : bare)
    const edges = Object.entries(bounds).flatMap(([key, ends]) => ends.map(end => ({ [key]: end })))
    for (const params of [...[...edges, ...most].map(more => ({ ...least, ...more })), ...instead])
      expect(accept(Action, action(type, params)).params).toMatchObject(params)
  })

  test('refuses the rest, and says where', () => {
    const cases: [params: unknown, path: string][] = [
      ...Object.entries(bounds).flatMap(([key, [min, max]]) =>
        [min - 1, max + 1, min + 0.5, `${min}`].map((value): [unknown, string] => [
          { ...least, [key]: value },
          pathOf(key),
        ]),
      ),
      ...Object.entries(refused).flatMap(([key, values]) =>
        values.map((value): [unknown, string] => [{ ...least, [key]: value }, pathOf(key)]),
      ),
      ...Object.entries(refusedAt).flatMap(([key, all]) => all.map((one): [unknown, string] => [one, pathOf(key)])),
      ...[null, 'text', 1, true, []].map((params): [unknown, string] => [params, 'params']),
      [{ ...least, bogus: 1 }, 'params.bogus'],
    ]
    expect(cases.filter(([params, path]) => !complaints(Action, action(type, params)).includes(path))).toEqual([])
    expect(complaints(Action, { ...action(type, least ?? {}), extra: 1 })).toEqual(['extra'])
  })
})

test.each([
  ['rEcEnTs', 'recents'],
  ['Volume Up', 'volume_up'],
  ['DPAD-LEFT', 'dpad_left'],
])('the key %j is %s', (key, name) => {
  expect(accept(Action, action('press_key', { key }))).toMatchObject({ params: { key: name } })
})

test('a retry has bounds', () => {
  const least = { maxAttempts: 1, initialDelayMs: 0, maxDelayMs: 0, backoffMultiplier: 1, jitterRatio: 0 }
  const most = { maxAttempts: 10, initialDelayMs: 30_000, maxDelayMs: 60_000, backoffMultiplier: 5, jitterRatio: 1 }
  for (const one of [{}, least, most]) expect(accept(Retry, one)).toEqual(one)
  const over = Object.entries(most).map(([key, value]) => ({ [key]: value + 0.01 }))
  const under = Object.entries(least).map(([key, value]) => ({ [key]: value - 1 }))
  for (const one of [...over, ...under, { maxAttempts: '1' }, { attempts: 3 }])
    expect(complaints(Retry, one)).toContain(Object.keys(one)[0])
})
