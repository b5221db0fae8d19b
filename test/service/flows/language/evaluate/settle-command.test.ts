/** A command becomes an action: expressions evaluated, words understood, defaults in place. */
import { describe, expect, test } from 'vitest'
import { isKeyName } from '../../../../../src/contracts/executions/key-names.ts'
import { KEY_WORDS } from '../../../../../src/service/flows/language/android-names.ts'
import type { SettleContext } from '../../../../../src/service/flows/language/evaluate/context.ts'
import { settleCommand } from '../../../../../src/service/flows/language/evaluate/settle-command.ts'
import { settleCondition } from '../../../../../src/service/flows/language/evaluate/settle-selector.ts'
import { flowLibrary } from '../../../../../src/service/flows/language/flow-library.ts'
import { readFlow } from '../../../../../src/service/flows/language/read/read-flow.ts'
import { flowText, memoryFlowFiles } from '../../../../support/flows/flow-files.ts'

const FILES = {
  '/flows/part.yaml': flowText('- back'),
  '/flows/broken.yaml': flowText('- nothing'),
  '/flows/again.yaml': flowText('- runFlow: main.yaml'),
  '/flows/a.js': 'output.a = 1',
  '/flows/cat.png': 'png',
}

const VALUES: Readonly<Record<string, string>> = {
  '${TEXT}': 'typed',
  '${N}': '3',
  '${YES}': 'TRUE',
  '${WORD}': 'left',
  '${POINT}': '10%,20%',
  '${UNKNOWN}': 'undefined',
  '${FILE}': 'part.yaml',
  '${MAIN}': 'main.yaml',
}

const context = (running: readonly string[] = ['/flows/main.yaml']): SettleContext => ({
  interpolate: async text => text.replace(/\$\{\w+\}/g, found => VALUES[found] ?? `<${found}>`),
  library: flowLibrary(memoryFlowFiles(FILES)),
  appId: 'com.example',
  directory: '/elsewhere',
  running,
})

const commandOf = (lines: string) => {
  const read = readFlow(flowText(...lines.split('\n')), '/flows/main.yaml')
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  const [command] = read.flow.commands
  if (command === undefined) throw new Error('no command')
  return command
}

const actionOf = async (lines: string, given = context()) => {
  const settled = await settleCommand(commandOf(lines), given)
  return settled.ok ? settled.value : settled.problems
}

const TAP = { repeat: 1, delayMs: 100, retryIfNoChange: false, waitUntilVisible: false }

describe('defaults', () => {
  test.each([
    [
      '- launchApp',
      {
        name: 'launchApp',
        appId: 'com.example',
        clearState: false,
        clearKeychain: false,
        stopApp: true,
        permissions: { all: 'allow' },
        arguments: {},
      },
    ],
    ['- launchApp: other', { appId: 'other' }],
    ['- launchApp: {permissions: {}}', { permissions: {} }],
    ['- stopApp', { name: 'stopApp', appId: 'com.example' }],
    ['- clearState: {url: other}', { name: 'clearState', appId: 'other' }],
    ['- tapOn: Pay', { name: 'tapOn', selector: { text: 'Pay' }, ...TAP }],
    ['- tapOn: {text: Pay, repeat: 0, delay: -1, waitToSettleTimeoutMs: 90000}', { ...TAP, settleMs: 30_000 }],
    ['- doubleTapOn: {id: a, delay: 20, repeat: 5}', { name: 'doubleTapOn', ...TAP, repeat: 2, delayMs: 20 }],
    ['- longPressOn: {point: "10,20"}', { name: 'longPressOn', point: { x: 10, y: 20, unit: 'pixel' } }],
    ['- swipe: {direction: Left}', { name: 'swipe', by: { direction: 'left' }, durationMs: 400 }],
    [
      '- swipe: {start: "90%,50%", end: "10%, 50%", duration: 5}',
      { by: { start: { x: 90, y: 50, unit: 'percent' }, end: { x: 10, y: 50, unit: 'percent' } }, durationMs: 5 },
    ],
    [
      '- swipe: {from: Row, direction: UP, point: "50%,50%"}',
      { by: { from: { text: 'Row' }, direction: 'up', point: { x: 50, y: 50, unit: 'percent' } } },
    ],
    [
      '- scrollUntilVisible: {element: a}',
      {
        selector: { text: 'a' },
        direction: 'down',
        timeoutMs: 20_000,
        speed: 40,
        visibilityPercentage: 100,
        centerElement: false,
      },
    ],
    [
      '- scrollUntilVisible: {element: a, speed: 101, timeout: -1, visibilityPercentage: 120}',
      { timeoutMs: 20_000, speed: 40, visibilityPercentage: 100 },
    ],
    ['- inputRandomText', { name: 'inputRandom', kind: 'text', length: 8 }],
    ['- inputRandomNumber: {length: 0}', { kind: 'number', length: 8 }],
    ['- inputRandomEmail', { kind: 'email' }],
    ['- eraseText', { name: 'eraseText', characters: 50 }],
    ['- eraseText: 5', { characters: 5 }],
    ['- pressKey: volume-UP', { name: 'pressKey', key: 'volume_up' }],
    ['- pressKey: REMOTE_CENTER', { key: 'dpad_center' }],
    ['- extendedWaitUntil: {notVisible: a, timeout: 30_000}', { notVisible: { text: 'a' }, timeoutMs: 30_000 }],
    ['- extendedWaitUntil: {visible: a, timeout: -1}', { visible: { text: 'a' }, timeoutMs: undefined }],
    ['- assertScreenshot: a', { name: 'assertScreenshot', path: 'a', thresholdPercentage: 95 }],
    ['- waitForAnimationToEnd', { timeoutMs: 15_000 }],
    ['- openBrowser: https://a', { name: 'openLink', link: 'https://a', browser: true, autoVerify: false }],
    [
      '- travel: {points: ["1,2", "-3.5, 4"]}',
      {
        points: [
          { latitude: 1, longitude: 2 },
          { latitude: -3.5, longitude: 4 },
        ],
        metersPerSecond: 4,
      },
    ],
    ['- setOrientation: landscapeLeft', { orientation: 'landscape_left' }],
    ['- setDarkMode: {value: disabled}', { name: 'setDarkMode', enabled: false }],
    ['- action: scroll', { name: 'scroll' }],
    ['- evalScript: ${a = 1}', { name: 'evalScript', source: '${a = 1}' }],
    ['- repeat: {times: -2, commands: [back]}', { name: 'repeat', times: 0, commands: [{ key: 'back' }] }],
    ['- retry: {commands: []}', { name: 'retry', maxRetries: 1, commands: [] }],
    ['- retry: {maxRetries: 9, commands: []}', { maxRetries: 3 }],
    ['- addMedia: cat.png', { name: 'addMedia', files: ['/flows/cat.png'] }],
    ['- runScript: a.js', { name: 'runScript', file: '/flows/a.js', source: 'output.a = 1', env: {} }],
    [
      '- runFlow: part.yaml',
      { name: 'runFlow', flow: { file: '/flows/part.yaml' }, commands: [{ key: 'back' }], env: {} },
    ],
    ['- runFlow: {commands: [scroll]}', { flow: undefined, commands: [{ key: 'scroll' }] }],
  ])('%s', async (line, action) => {
    expect(await actionOf(line)).toMatchObject(action)
  })
})

describe('expressions', () => {
  test.each([
    ['- inputText: a ${TEXT}', { text: 'a typed' }],
    [
      '- tapOn: {id: "${TEXT}", index: "${N}", enabled: "${YES}", repeat: "${N}", point: "${POINT}"}',
      { selector: { id: 'typed', index: 3, enabled: true }, repeat: 3, point: { x: 10, y: 20, unit: 'percent' } },
    ],
    ['- swipe: {direction: "${WORD}"}', { by: { direction: 'left' } }],
    [
      '- launchApp: {arguments: {"${TEXT}": "${N}", n: 2, f: 1.5, b: true, s: "2"}}',
      { arguments: { typed: '3', n: 2, f: 1.5, b: true, s: '2' } },
    ],
    [
      '- runFlow: {file: "${FILE}", env: {A: "${N}1", B: 2}}',
      { flow: { file: '/flows/part.yaml' }, env: { A: '31', B: '2' } },
    ],
    ['- assertTrue: ${N}', { holds: true, written: '${N}' }],
    ['- assertTrue: ${UNKNOWN}', { holds: false }],
  ])('%s', async (line, action) => {
    expect(await actionOf(line)).toMatchObject(action)
  })

  test('the application of the header may be one', async () => {
    expect(await actionOf('- launchApp', { ...context(), appId: 'com.${TEXT}' })).toMatchObject({ appId: 'com.typed' })
  })

  test('those of a nested command wait for their turn', async () => {
    expect(await actionOf('- repeat: {times: "${N}", commands: [inputText: "${TEXT}"]}')).toMatchObject({
      times: 3,
      commands: [{ params: { text: { text: '${TEXT}' } } }],
    })
  })
})

describe('selectors', () => {
  test('have every key, at any level', async () => {
    const lines = [
      '- assertVisible:',
      '    text: a',
      '    width: 10',
      '    height: "20"',
      '    tolerance: 1_0',
      '    traits: long-text SQUARE',
      '    index: -1.0',
      '    checked: False',
      '    css: "#a"',
      '    below: {id: b, childOf: c}',
      '    containsDescendants: [d, {id: e}]',
      '    point: "1,2"',
    ]
    expect(await actionOf(lines.join('\n'))).toEqual({
      name: 'assertVisible',
      selector: {
        text: 'a',
        width: 10,
        height: 20,
        tolerance: 10,
        traits: ['long-text', 'square'],
        index: -1,
        checked: false,
        css: '#a',
        below: { id: 'b', childOf: { text: 'c' } },
        containsDescendants: [{ text: 'd' }, { id: 'e' }],
      },
    })
  })

  test('have no longer patterns than a screen is searched for', async () => {
    expect(await actionOf(`- tapOn: ${'x'.repeat(10_001)}`)).toMatchObject([
      { message: expect.stringContaining('at most 10000 characters') },
    ])
  })
})

describe('permissions', () => {
  test('are known by group and by full name; those of iOS have no effect', async () => {
    const line =
      '- setPermissions: {permissions: {Location: Allow, medialibrary: deny, homekit: allow, android.permission.CAMERA: unset}}'
    expect(await actionOf(line)).toMatchObject({
      permissions: { location: 'allow', media: 'deny', 'android.permission.CAMERA': 'unset' },
    })
  })
})

describe('a value that does not fit', () => {
  test('is told with its place, its value and where it came from', async () => {
    const found = await actionOf('- tapOn:\n    id: a\n    index: ${UNKNOWN}')
    expect(found).toEqual([
      {
        file: '/flows/main.yaml',
        line: 5,
        column: 12,
        message: 'index must be a whole number; here it is "undefined" (from ${UNKNOWN}).',
      },
    ])
  })

  test.each([
    ['- pressKey: ${TEXT}', 'key must be a key by its name'],
    ['- swipe: {start: "1%,1%", end: "10,10"}', 'both in percent, or both in pixels'],
    ['- runFlow: ${TEXT}', 'There is no file /flows/typed.'],
    ['- runScript: ${TEXT}.js', 'There is no file /flows/typed.js.'],
    ['- addMedia: ${TEXT}', 'There is no file /flows/typed.'],
    ['- runFlow: ${MAIN}', 'in a circle: main.yaml → main.yaml'],
    ['- runFlow: broken.yaml', 'There is no command nothing.'],
    ['- setLocation: {latitude: "${N}00", longitude: 1}', 'latitude must be a number from -90 to 90'],
  ])('%s', async (line, message) => {
    expect(await actionOf(line)).toMatchObject([{ message: expect.stringContaining(message) }])
  })

  test('a flow without an application cannot launch one', async () => {
    expect(await actionOf('- launchApp', { ...context(), appId: undefined })).toMatchObject([
      { message: 'launchApp needs an application.', line: 3 },
    ])
  })

  test('a subflow beyond the last level is refused', async () => {
    const running = Array.from({ length: 33 }, (_, at) => `/flows/${at}.yaml`)
    expect(await actionOf('- runFlow: part.yaml', context(running.slice(1)))).toMatchObject({ name: 'runFlow' })
    expect(await actionOf('- runFlow: part.yaml', context(running))).toMatchObject([
      { message: 'Flows run each other over more than 32 levels.' },
    ])
  })

  test('what interpolate throws passes through', async () => {
    const failing = { ...context(), interpolate: () => Promise.reject(new Error('thrown')) }
    await expect(actionOf('- inputText: ${TEXT}', failing)).rejects.toThrow('thrown')
  })
})

describe('conditions', () => {
  const conditionOf = async (lines: string) => {
    const settled = await settleCondition(commandOf(lines), context())
    return settled.ok ? settled.value : settled.problems
  }

  test.each([
    [
      '{platform: android, visible: a, notVisible: {id: "${TEXT}"}}',
      { platform: 'android', visible: { text: 'a' }, notVisible: { id: 'typed' } },
    ],
    ['{true: "${N}"}', { isTrue: true }],
    ['{true: "${UNKNOWN}"}', { isTrue: false }],
    ['{true: false}', { isTrue: false }],
    ['{platform: iOS}', { platform: 'ios' }],
  ])('%s', async (written, condition) => {
    expect(await conditionOf(`- runFlow: {file: part.yaml, when: ${written}}`)).toEqual(condition)
    expect(await conditionOf(`- repeat: {commands: [], while: ${written}}`)).toEqual(condition)
  })

  test('a command without one has none', async () => {
    expect(await conditionOf('- back')).toBeUndefined()
  })

  test.each(['', '  ', 'false', 'FALSE', 'undefined', 'null', '0', '0.0', '-0'])('%j does not hold', async value => {
    expect(await conditionOf(`- runFlow: {commands: [], when: {true: "${value}"}}`)).toEqual({ isTrue: false })
  })

  test('the value of an expression may not fit', async () => {
    expect(await conditionOf('- runFlow: {commands: [], when: {visible: {index: "${TEXT}"}}}')).toMatchObject([
      { line: 3 },
    ])
  })
})

test.each(KEY_WORDS)('the key %s is one that a device is asked for', async word => {
  const action = await actionOf(`- pressKey: ${word}`)
  expect('key' in action && isKeyName(action.key)).toBe(true)
})
