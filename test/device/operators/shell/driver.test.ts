import { describe, expect, test } from 'vitest'
import { CALL_MS } from '../../../../src/device/operators/shell/device-shell.ts'
import { LONG_PRESS_MS, shellDriver } from '../../../../src/device/operators/shell/driver.ts'
import type { UiDriver } from '../../../../src/device/screen/driver.ts'
import { node } from '../../../support/device/fake-ui-driver.ts'
import { type Answer, scriptedLink } from '../../../support/device/scripted-link.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const setup = (answer: (command: string) => Answer | undefined = () => undefined, ms = 60_000) => {
  const link = scriptedLink(answer)
  const clock = manualClock()
  const driver = shellDriver(link, { clock, deadline: clock.now() + ms, signal: new AbortController().signal })
  return { link, clock, driver }
}
const button = node({ at: [0, 0, 100, 50], clickable: true })
const middle = { x: 50, y: 25 }
const edit = node({ at: [0, 0, 100, 50], className: 'android.widget.EditText' })

describe('gestures', () => {
  const cases: [string, (driver: UiDriver) => Promise<boolean>, string[]][] = [
    ['a click', driver => driver.click(button, 'default', middle), ['input tap 50 25']],
    [
      'a long click',
      driver => driver.click(button, 'long_click', middle),
      [`input swipe 50 25 50 25 ${LONG_PRESS_MS}`],
    ],
    ['focus on a field', driver => driver.click(edit, 'focus', middle), ['input tap 50 25']],
    ['focus on what has it', driver => driver.click({ ...button, focused: true }, 'focus', middle), []],
    ['a tap', driver => driver.tap({ x: 3, y: 4 }, 'default'), ['input tap 3 4']],
    ['a long tap', driver => driver.tap({ x: 3, y: 4 }, 'long_click'), [`input swipe 3 4 3 4 ${LONG_PRESS_MS}`]],
    ['a swipe', driver => driver.swipe({ x: 1, y: 2 }, { x: 3, y: 4 }, 500), ['input swipe 1 2 3 4 500']],
    ['back', driver => driver.pressKey('back'), ['input keyevent KEYCODE_BACK']],
    ['home', driver => driver.pressKey('home'), ['input keyevent KEYCODE_HOME']],
    ['recents', driver => driver.pressKey('recents'), ['input keyevent KEYCODE_APP_SWITCH']],
    ['enter', driver => driver.pressKey('enter'), ['input keyevent KEYCODE_ENTER']],
    ['delete', driver => driver.pressKey('delete'), ['input keyevent KEYCODE_DEL']],
  ]

  test.each(cases)('%s', async (_name, act, commands) => {
    const { link, driver } = setup()
    expect(await act(driver)).toBe(true)
    expect(link.commands).toEqual(commands)
  })

  const refusals: [string, Answer][] = [
    [
      'an exception',
      { exitCode: 255, stderr: '\nException occurred while executing:\njava.lang.SecurityException: x' },
    ],
    ['an exception', { exitCode: 1, stderr: 'java.lang.IllegalStateException: x' }],
    ['a denial with exit code 0', { stderr: 'java.lang.SecurityException: x' }],
    [
      'the trace of its own end with exit code 0',
      {
        stderr:
          'java.lang.NullPointerException: Attempt to get length of null array\n\tat com.android.commands.input.Input.sendText(Input.java:173)\n\tat com.android.commands.input.Input.run(Input.java:83)',
      },
    ],
    [
      'the trace of the end of its command with exit code 0',
      'java.lang.IllegalArgumentException: x\n\tat com.android.server.input.InputShellCommand.runTap(InputShellCommand.java:9)',
    ],
    ['a signal', { stderr: 'Killed' }],
    ['an error on stdout', 'Error: Invalid arguments for command: tap'],
    ['its usage', { stderr: 'Usage: input [<source>] <command>' }],
    ['an exit code alone', { exitCode: 1 }],
    ['no such tool', { exitCode: 127, stderr: '/system/bin/sh: input: inaccessible or not found' }],
  ]
  test.each(refusals)('refused with %s', async (_name, answer) => {
    const { driver } = setup(() => answer)
    await expect(driver.tap({ x: 1, y: 1 }, 'default')).rejects.toMatchObject({ code: 'GESTURE_FAILED' })
    await expect(driver.pressKey('home')).rejects.toMatchObject({ code: 'GLOBAL_ACTION_FAILED' })
  })

  test.each([
    'WARNING: linker: /system/lib64/x has an error in its header',
    'java.lang.NullPointerException: Attempt to read from field x\n\tat com.vendor.Hook.run(Hook.java:1)',
    'Exception in thread "vendor" android.os.DeadObjectException',
    'java.lang.NoSuchFieldError: x\n\tat com.vendor.Hook.run(Hook.java:1)\n\tat com.android.commands.input.Input.main(Input.java:1)',
  ])('noise beside exit code 0 is not a refusal: %j', async stderr => {
    const { driver } = setup(() => ({ stderr }))
    expect(await driver.tap({ x: 1, y: 1 }, 'default')).toBe(true)
  })

  test('focus on anything but a field is not possible', async () => {
    const { link, driver } = setup()
    await expect(driver.click(button, 'focus', middle)).rejects.toMatchObject({ code: 'EXECUTION_ACTION_UNSUPPORTED' })
    expect(link.commands).toEqual([])
  })
})

test('no call outlasts the execution, nor its own time', async () => {
  const long = setup(undefined, 120_000)
  await long.driver.swipe({ x: 0, y: 0 }, { x: 1, y: 1 }, 8_000)
  expect(long.link.deadlines).toEqual([long.clock.now() + CALL_MS + 8_000])
  const short = setup(undefined, 1_000)
  await short.driver.swipe({ x: 0, y: 0 }, { x: 1, y: 1 }, 8_000)
  expect(short.link.deadlines).toEqual([short.clock.now() + 1_000])
})

describe('the package in front', () => {
  test.each([
    [
      'Android 13',
      '  mCurrentFocus=Window{3a0 u0 com.a.b/com.a.b.Main}\n  mFocusedApp=ActivityRecord{6d u0 com.c/.X t12}\n',
      'com.a.b',
    ],
    [
      'a popup',
      '  mCurrentFocus=Window{3a0 u0 PopupWindow:1f}\n  mFocusedApp=ActivityRecord{6d u10 com.c/.X t12}\n',
      'com.c',
    ],
    ['between two windows', '  mCurrentFocus=null\n  mFocusedApp=ActivityRecord{6d u0 com.c/.X t12}\n', 'com.c'],
    ['two displays', '  mCurrentFocus=null\n  mFocusedApp=null\n  mCurrentFocus=Window{3 u0 com.a/com.a.M}\n', 'com.a'],
    [
      'Android 8',
      '  mCurrentFocus=null\n  mFocusedApp=AppWindowToken{15 token=Token{1f ActivityRecord{3a u0 com.t/.L t56}}}\n',
      'com.t',
    ],
    ['nothing', '  mCurrentFocus=null\n  mFocusedApp=null\n', ''],
    ['no answer', '', ''],
  ])('%s', async (_name, dump, expected) => {
    const { link, driver } = setup(() => dump)
    expect(await driver.foregroundPackage()).toBe(expected)
    expect(link.commands).toEqual(['dumpsys window'])
  })
})

describe('opening an application', () => {
  const RESOLVE =
    'cmd package resolve-activity --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER com.example'
  const START =
    'am start -a android.intent.action.MAIN -c android.intent.category.LAUNCHER -f 0x10200000 -n com.example/.Main'
  const component = 'priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=false\ncom.example/.Main\n'
  const CHOOSER = 'priority=0\nandroid/com.android.internal.app.ResolverActivity\n'

  test('asks for its entry, and starts that', async () => {
    const { link, driver } = setup(command =>
      command === RESOLVE ? component : 'Starting: Intent { cmp=com.example/.Main }',
    )
    expect(await driver.openApp('com.example')).toBe('opened')
    expect(link.commands).toEqual([RESOLVE, START])
  })

  test('takes the first entry where there are several', async () => {
    const { link, driver } = setup(command => {
      if (command === RESOLVE) return CHOOSER
      return command.includes('query-activities')
        ? '2 activities found:\n  Activity #0:\n    com.example/.Main\n    com.example/.B\n'
        : ''
    })
    expect(await driver.openApp('com.example')).toBe('opened')
    expect(link.commands).toEqual([RESOLVE, RESOLVE.replace('resolve-activity', 'query-activities'), START])
  })

  test('a task that is there already is brought to the front', async () => {
    const { driver } = setup(command =>
      command === RESOLVE ? component : 'Warning: Activity not started, its current task has been brought to the front',
    )
    expect(await driver.openApp('com.example')).toBe('opened')
  })

  test('is not open where the device keeps the activity that is there', async () => {
    const kept = 'Warning: Activity not started because the  current activity is being kept for the user.'
    const { driver } = setup(command => (command === RESOLVE ? component : { stderr: kept }))
    await expect(driver.openApp('com.example')).rejects.toMatchObject({ code: 'ACTION_FAILED' })
  })

  test('of a television, by the category that those have', async () => {
    const { link, driver } = setup(command =>
      command === RESOLVE ? 'No activity found\n' : command.startsWith('cmd') ? component : 'Starting: Intent { }',
    )
    expect(await driver.openApp('com.example')).toBe('opened')
    const leanback = (line: string) => line.replace('category.LAUNCHER', 'category.LEANBACK_LAUNCHER')
    expect(link.commands).toEqual([RESOLVE, leanback(RESOLVE), leanback(START)])
  })

  test.each([
    ['is not there', 'No activity found\n'],
    ['has no entry of its own', 'priority=0\ncom.other/.Main\n'],
  ])('that %s', async (_name, answer) => {
    const { link, driver } = setup(() => answer)
    expect(await driver.openApp('com.example')).toBe('not-found')
    expect(link.commands).toHaveLength(2)
  })

  test('that went away in between', async () => {
    const { driver } = setup(command =>
      command === RESOLVE
        ? component
        : { stderr: 'Error type 3\nError: Activity class {com.example/.Main} does not exist.' },
    )
    expect(await driver.openApp('com.example')).toBe('not-found')
  })

  test('that may not be started says why', async () => {
    const { driver } = setup(command =>
      command === RESOLVE ? component : { exitCode: 255, stderr: 'java.lang.SecurityException: Permission Denial' },
    )
    await expect(driver.openApp('com.example')).rejects.toMatchObject({
      code: 'ACTION_FAILED',
      message: expect.stringContaining('Permission Denial'),
    })
  })

  test.each(['--user', 'com.example; reboot', '$(id)', 'com..example', ' com.example', 'com.example/.Main'])(
    'by the name %s asks nothing of the device',
    async name => {
      const { link, driver } = setup()
      expect(await driver.openApp(name)).toBe('not-found')
      expect(link.commands).toEqual([])
    },
  )
})

describe('opening a uri', () => {
  test.each([
    ['https://example.org/?a=1&b=2', `am start -a android.intent.action.VIEW -d 'https://example.org/?a=1&b=2'`],
    [`x:'; reboot #`, `am start -a android.intent.action.VIEW -d 'x:'\\''; reboot #'`],
  ])('%s', async (uri, command) => {
    const { link, driver } = setup(() => `Starting: Intent { act=VIEW dat=${uri} }`)
    expect(await driver.openUri(uri)).toBe(true)
    expect(link.commands).toEqual([command])
  })

  test('that speaks of errors is not an error', async () => {
    const { driver } = setup(() => 'Starting: Intent { dat=https://example.org/error: exception Error: not found }')
    expect(await driver.openUri('https://example.org/error: exception Error: not found')).toBe(true)
  })

  test('that nobody handles', async () => {
    const { driver } = setup(() => ({
      stdout: 'Starting: Intent { dat=x:y }',
      stderr: 'Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW dat=x:y }',
    }))
    expect(await driver.openUri('x:y')).toBe(false)
  })
})

test('there is no overlay', () => {
  expect(setup().driver).not.toHaveProperty('overlay')
})
