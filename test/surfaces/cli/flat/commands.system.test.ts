import { describe, expect, test } from 'vitest'
import { RESTORE, restore } from '../../../../src/surfaces/cli/commands/settings.ts'
import { parse } from '../../../../src/surfaces/cli/flags/parse-all.ts'
import { flatPayload } from '../../../../src/surfaces/cli/flat/command.ts'
import { acceptance } from '../../../service/executions/refusals.ts'
import { EVERY_FLAT, NOW, payloadOf } from './call.ts'

const accepted = (...words: string[]) => {
  const result = payloadOf(...words)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.payload
}

const matcher = { textEquals: 'OK' }
const selector = ['--text', 'OK']

test.each([
  ['7', 7],
  ['-7', -7],
  ['1.5', 1.5],
  ['1e3', 1_000],
  ['true', true],
  ['false', false],
  ['007', '007'],
  ['+7', '+7'],
  ['12345678901234567890', '12345678901234567890'],
  ['1e999', '1e999'],
  ['"7"', '7'],
  ['"a \\"b\\" c"', 'a "b" c'],
  ['"open', '"open'],
  ['"bad \\x"', '"bad \\x"'],
  ['', ''],
  [' 7', ' 7'],
  ['a=b', 'a=b'],
  ['$(reboot)', '$(reboot)'],
])('the argument n=%s is handed over as %j', (text, value) => {
  const [action] = accepted('open', 'com.example', '--argument', `n=${text}`).actions
  expect(action?.params).toEqual({ applicationId: 'com.example', arguments: { n: value } })
})

describe('each command is one action', () => {
  const CASES: [words: string[], type: string, params?: object, timeoutMs?: number][] = [
    [['open', 'com.example'], 'open_app', { applicationId: 'com.example' }],
    [['open', 'https://example.com/a?b=c'], 'open_uri', { uri: 'https://example.com/a?b=c' }],
    [['open', 'tel:123'], 'open_uri', { uri: 'tel:123' }],
    [['open', 'my-app+x.y:'], 'open_uri', { uri: 'my-app+x.y:' }],
    [['open', 'com.example', '--timeout', '60000'], 'open_app', { applicationId: 'com.example' }, 60_000],
    [
      ['open', 'com.example', '--activity', '.Detail', '--clear-state', '--stop-first'],
      'open_app',
      { applicationId: 'com.example', activity: '.Detail', clearState: true, stopFirst: true },
    ],
    [
      ['open', 'com.example', '--permission', 'camera=allow', '--permission', 'android.permission.READ_SMS=deny'],
      'open_app',
      { applicationId: 'com.example', permissions: { camera: 'allow', 'android.permission.READ_SMS': 'deny' } },
    ],
    [['close', 'com.example'], 'close_app', { applicationId: 'com.example' }],
    [['click', ...selector], 'click', { matcher }],
    [['click', ...selector, '--long'], 'click', { matcher, clickType: 'long_click' }],
    [['click', ...selector, '--focus'], 'click', { matcher, clickType: 'focus' }],
    [['click', '--coordinate', '10', '20'], 'click', { coordinate: { x: 10, y: 20 } }],
    [['click', '--coordinate', '10,20'], 'click', { coordinate: { x: 10, y: 20 } }],
    [['click', '--coordinate', ' 10 , 20 '], 'click', { coordinate: { x: 10, y: 20 } }],
    [['click', '--coordinate=10 20', '--long'], 'click', { coordinate: { x: 10, y: 20 }, clickType: 'long_click' }],
    [['click', 'OK'], 'click', { matcher }],
    [['click', 'About phone', '--long'], 'click', { matcher: { textEquals: 'About phone' }, clickType: 'long_click' }],
    [['click', '@12.7'], 'click', { matcher: { ref: '@12.7' } }],
    [['click', '@john'], 'click', { matcher: { textEquals: '@john' } }],
    [['click', '540', '1200'], 'click', { coordinate: { x: 540, y: 1200 } }],
    [['click', '540', '1200', '--long'], 'click', { coordinate: { x: 540, y: 1200 }, clickType: 'long_click' }],
    [['click', '5'], 'click', { matcher: { textEquals: '5' } }],
    [['click', '--text', '1,299'], 'click', { matcher: { textEquals: '1,299' } }],
    [['click', '--text', '@12.7'], 'click', { matcher: { textEquals: '@12.7' } }],
    [['type', 'hello'], 'enter_text', { text: 'hello' }],
    [['type', 'hello', '--append', '--submit'], 'enter_text', { text: 'hello', append: true, submit: true }],
    [['type', 'hello', 'OK'], 'enter_text', { matcher, text: 'hello' }],
    [['type', '@12.7', '@3.1'], 'enter_text', { matcher: { ref: '@3.1' }, text: '@12.7' }],
    [['type', '540', '1200'], 'enter_text', { matcher: { textEquals: '1200' }, text: '540' }],
    [['type', 'hello', ...selector], 'enter_text', { matcher, text: 'hello' }],
    [
      ['type', '007', ...selector, '--clear', '--submit'],
      'enter_text',
      { matcher, text: '007', clear: true, submit: true },
    ],
    [['press', 'Home'], 'press_key', { key: 'Home' }],
    [['back'], 'press_key', { key: 'back' }],
    [['press', 'power', '--long'], 'press_key', { key: 'power', longPress: true }],
    [['double-tap', 'Photo'], 'double_tap', { matcher: { textEquals: 'Photo' } }],
    [['double-tap', '5', '6'], 'double_tap', { coordinate: { x: 5, y: 6 } }],
    [['double-tap', ...selector], 'double_tap', { matcher }],
    [['drag', 'Card', '@1.2'], 'drag', { from: { matcher: { textEquals: 'Card' } }, to: { matcher: { ref: '@1.2' } } }],
    [
      ['drag', '1', '2', '3', '4', '--hold', '0', '--duration', '9'],
      'drag',
      { from: { coordinate: { x: 1, y: 2 } }, to: { coordinate: { x: 3, y: 4 } }, holdMs: 0, durationMs: 9 },
    ],
    [
      ['drag', '--from-selector', '{"role":"button"}', '--to-point', '3,4'],
      'drag',
      { from: { matcher: { role: 'button' } }, to: { coordinate: { x: 3, y: 4 } } },
    ],
    [
      ['drag', 'Bin', '--from-point', '3,4'],
      'drag',
      { from: { coordinate: { x: 3, y: 4 } }, to: { matcher: { textEquals: 'Bin' } } },
    ],
    [['pinch', '5', '6', '--scale', '0.5'], 'pinch', { coordinate: { x: 5, y: 6 }, scale: 0.5 }],
    [
      ['pinch', 'Map', '--scale', '2', '--duration', '80'],
      'pinch',
      { matcher: { textEquals: 'Map' }, scale: 2, durationMs: 80 },
    ],
    [['hide-keyboard'], 'hide_keyboard'],
    [['shell', 'ls | head'], 'shell', { command: 'ls | head' }],
    [['shell', 'getprop', 'ro.product.model'], 'shell', { command: 'getprop ro.product.model' }],
    [['clipboard', 'get'], 'get_clipboard'],
    [['clipboard', 'set', 'a b'], 'set_clipboard', { text: 'a b' }],
    [['clipboard', 'set', ''], 'set_clipboard', { text: '' }],
    [['shade', 'notifications'], 'expand_shade', { shade: 'notifications' }],
    [['shade', 'Quick-Settings'], 'expand_shade', { shade: 'quick_settings' }],
    [['shade', 'close'], 'collapse_shade'],
    [['dialog', 'Only this time'], 'answer_dialog', { answer: 'Only this time' }],
    [['swipe', '1', '2', '3', '4'], 'swipe', { start: { x: 1, y: 2 }, end: { x: 3, y: 4 } }],
    [
      ['swipe', '1', '2', '3', '4', '--duration', '50'],
      'swipe',
      { start: { x: 1, y: 2 }, end: { x: 3, y: 4 }, durationMs: 50 },
    ],
    [['scroll'], 'scroll', {}],
    [['scroll', 'up', '--container-id', 'a:id/b'], 'scroll', { direction: 'up', container: { resourceId: 'a:id/b' } }],
    [['scroll-until'], 'scroll_until', {}],
    [['scroll-until', 'About phone'], 'scroll_until', { matcher: { textEquals: 'About phone' } }],
    [['scroll-until', 'battery', '--click'], 'scroll_until', { matcher: { textEquals: 'battery' }, clickAfter: true }],
    [['scroll-until', 'up', 'Battery'], 'scroll_until', { direction: 'up', matcher: { textEquals: 'Battery' } }],
    [
      ['scroll-until', 'left', ...selector, '--click'],
      'scroll_until',
      { direction: 'left', matcher, clickAfter: true },
    ],
    [
      ['scroll-until', ...selector, '--container-role', 'list'],
      'scroll_until',
      { matcher, container: { role: 'list' } },
    ],
    [['read', ...selector], 'read_text', { matcher }],
    [['read', 'OK', '--container-id', 'a'], 'read_text', { matcher, container: { resourceId: 'a' } }],
    [['read', '@12.7'], 'read_text', { matcher: { ref: '@12.7' } }],
    [['read', '1,299'], 'read_text', { matcher: { textEquals: '1,299' } }],
    [['read-value', 'Android version'], 'read_key_value_pair', { labelMatcher: { textEquals: 'Android version' } }],
    [['read-value', '@12.7', '--all'], 'read_key_value_pair', { labelMatcher: { ref: '@12.7' }, all: true }],
    [['wait', 'OK', '--timeout', '1'], 'wait_for_node', { matcher, timeoutMs: 1 }],
    [['wait', 'OK', '--gone'], 'wait_for_node', { matcher, state: 'gone', timeoutMs: 10_000 }],
    [
      ['click', '--text-matches', 'a.*', '--enabled', 'true', '--checked', 'false', '--index', '-1'],
      'click',
      { matcher: { textMatches: 'a.*', enabled: true, checked: false, index: -1 } },
    ],
    [
      ['click', '--role', 'switch', '--right-of', 'Wi-Fi', '--child-of', ' {"role": "list"}'],
      'click',
      { matcher: { role: 'switch', rightOf: { textEquals: 'Wi-Fi' }, childOf: { role: 'list' } } },
    ],
    [['wait', '@12.7'], 'wait_for_node', { matcher: { ref: '@12.7' }, timeoutMs: 10_000 }],
    [
      ['read', ...selector, '--all', '--container-text', 'A'],
      'read_text',
      { matcher, all: true, container: { textEquals: 'A' } },
    ],
    [['read-value', '--label', 'A'], 'read_key_value_pair', { labelMatcher: { textEquals: 'A' } }],
    [
      ['read-value', '--label-id', 'a', '--label-desc', 'b', '--all'],
      'read_key_value_pair',
      { labelMatcher: { resourceId: 'a', contentDescEquals: 'b' }, all: true },
    ],
    [['wait', ...selector], 'wait_for_node', { matcher, timeoutMs: 10_000 }],
    [['wait', ...selector, '--timeout', '1'], 'wait_for_node', { matcher, timeoutMs: 1 }],
    [['wait', ...selector, '--timeout', '25000'], 'wait_for_node', { matcher, timeoutMs: 25_000 }],
    [['wait', ...selector, '--timeout', '25001'], 'wait_for_node', { matcher, timeoutMs: 25_001 }, 30_001],
    [['wait', ...selector, '--timeout', '120000'], 'wait_for_node', { matcher, timeoutMs: 120_000 }, 120_000],
    [
      ['wait-for-nav', 'com.example', '--timeout', '5000'],
      'wait_for_navigation',
      { expectedPackage: 'com.example', timeoutMs: 5_000 },
    ],
    [
      ['wait-for-nav', '--app', 'com.example'],
      'wait_for_navigation',
      { expectedPackage: 'com.example', timeoutMs: 15_000 },
    ],
    [
      ['wait-for-nav', '--app', 'a', ...selector, '--timeout', '30000'],
      'wait_for_navigation',
      { expectedPackage: 'a', expectedNode: matcher, timeoutMs: 30_000 },
      35_000,
    ],
    [['sleep', '500'], 'sleep', { durationMs: 500 }],
    [['sleep', '26000'], 'sleep', { durationMs: 26_000 }, 31_000],
    [['sleep', '120000'], 'sleep', { durationMs: 120_000 }, 120_000],
    [['sleep', '500', '--timeout', '2000'], 'sleep', { durationMs: 500 }, 2_000],
    [['toast', 'Hi'], 'show_toast', { text: 'Hi' }],
    [['toast', 'Hi', '--duration', 'long'], 'show_toast', { text: 'Hi', duration: 'long' }],
    [['toast', '--cancel'], 'cancel_toast'],
    [['on-screen-log', 'set', 'Hi'], 'set_on_screen_log', { text: 'Hi' }],
    [
      [
        'on-screen-log',
        'set',
        '--template',
        '{{device.model}}',
        '--anchor',
        'right',
        '--text-align',
        'right',
        '--ttl',
        '1000',
      ],
      'set_on_screen_log',
      { template: '{{device.model}}', anchor: 'right', textAlign: 'right', ttlMs: 1_000 },
    ],
    [
      ['on-screen-log', 'set', 'Hi', '--top-offset', '1', '--edge-offset', '2', '--width', '80', '--font-size', '8'],
      'set_on_screen_log',
      { text: 'Hi', topOffsetDp: 1, edgeOffsetDp: 2, widthDp: 80, fontSizeSp: 8 },
    ],
    [
      ['on-screen-log', 'set', 'Hi', '--text-color', '#ffffff', '--background-color', '#80ffffff'],
      'set_on_screen_log',
      { text: 'Hi', textColor: '#ffffff', backgroundColor: '#80ffffff' },
    ],
    [['on-screen-log', 'clear'], 'clear_on_screen_log'],
  ]

  test.each(CASES)('%j', (words, type, params, timeoutMs = 30_000) => {
    const payload = accepted(...words)
    const name = payload.actions[0]?.id ?? ''
    expect(words.join('-')).toContain(name)
    expect(payload).toEqual({
      commandId: `cli-${name}-${NOW}`,
      taskId: `cli-${name}-${NOW}`,
      source: 'svc-cli',
      expectedFormat: 'android-ui-automator',
      timeoutMs,
      actions: [{ id: name, type, ...(params === undefined ? {} : { params }) }],
    })
    acceptance(payload)
  })
})

describe('selectors', () => {
  const KEYS = {
    text: 'textEquals',
    'text-contains': 'textContains',
    id: 'resourceId',
    desc: 'contentDescEquals',
    'desc-contains': 'contentDescContains',
    role: 'role',
  }

  test.each(Object.entries(KEYS))('--%s is %s, also of the container', (flag, key) => {
    const { actions } = accepted('read', `--${flag}`, 'a', `--container-${flag}`, 'b')
    expect(actions[0]?.params).toEqual({ matcher: { [key]: 'a' }, container: { [key]: 'b' } })
  })

  test('all together are one matcher', () => {
    const words = Object.keys(KEYS).flatMap(flag => [`--${flag}`, flag])
    const all = Object.fromEntries(Object.entries(KEYS).map(([flag, key]) => [key, flag]))
    expect(accepted('click', ...words).actions[0]?.params).toEqual({ matcher: all })
  })

  test('--selector is a matcher in JSON, whose keys may be aliases', () => {
    const { actions } = accepted('wait', '--selector', '{"text_equals": "A"}')
    expect(actions[0]?.params).toMatchObject({ matcher: { text_equals: 'A' } })
    expect(acceptance(accepted('wait', '--selector', '{"text_equals": "A"}')).actions[0]?.params).toMatchObject({
      matcher: { textEquals: 'A' },
    })
    const scrolled = accepted('scroll', '--container-selector', '{"role": "list"}')
    expect(scrolled.actions[0]?.params).toEqual({ container: { role: 'list' } })
  })

  test('every command that looks for a node takes all of them', () => {
    for (const name of ['click', 'type', 'read', 'wait', 'wait-for-nav', 'scroll-until']) {
      const flags = EVERY_FLAT.find(({ path }) => path[0] === name)?.flags?.map(flag => flag.name)
      expect(flags).toEqual(expect.arrayContaining([...Object.keys(KEYS), 'selector']))
    }
    for (const name of ['read', 'scroll', 'scroll-until']) {
      const flags = EVERY_FLAT.find(({ path }) => path[0] === name)?.flags?.map(flag => flag.name)
      expect(flags).toEqual(expect.arrayContaining([...Object.keys(KEYS), 'selector'].map(flag => `container-${flag}`)))
    }
  })
})

test.each([
  [[], 115_000],
  [['--timeout', '9000'], 9_000],
])('device restore %j has the time that its caller names, or nearly the longest', (words, timeoutMs) => {
  const parsed = parse([RESTORE], ['device', 'restore', ...words])
  if (parsed.kind !== 'run') throw new Error(parsed.kind)
  const payload = flatPayload(restore, parsed.given, { now: NOW })
  expect(payload).toMatchObject({ timeoutMs, actions: [{ id: 'device-restore', type: 'restore_settings' }] })
  acceptance(payload)
})

describe('the tables', () => {
  test('name every command of the contract', () => {
    expect(EVERY_FLAT.map(({ path }) => path.join(' ')).sort()).toEqual(
      [
        'back',
        'click',
        'clipboard get',
        'clipboard set',
        'close',
        'dialog',
        'double-tap',
        'drag',
        'hide-keyboard',
        'on-screen-log clear',
        'on-screen-log set',
        'open',
        'pinch',
        'press',
        'read',
        'read-value',
        'scroll',
        'scroll-until',
        'shade',
        'shell',
        'sleep',
        'swipe',
        'toast',
        'type',
        'wait',
        'wait-for-nav',
      ].sort(),
    )
  })

  test.each(EVERY_FLAT.map(command => [command.path.join(' '), command] as const))('%s', (name, command) => {
    expect(command.shape.startsWith(`svc ${name}`)).toBe(true)
    expect(command.summary).not.toBe('')
    const names = (command.flags ?? []).map(flag => flag.name)
    expect(new Set(names).size).toBe(names.length)
    for (const { summary } of [...(command.flags ?? []), ...(command.args ?? [])]) expect(summary).not.toBe('')
    for (const flag of names) expect(['timeout', 'device', 'json', 'output', 'help', 'verbose']).not.toContain(flag)
  })

  test.each(EVERY_FLAT.flatMap(({ examples }) => examples))('%s is a valid example', example => {
    const words = (example.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map(word => word.replace(/^["']|["']$/g, ''))
    expect(words[0]).toBe('svc')
    acceptance(accepted(...words.slice(1)))
  })
})
