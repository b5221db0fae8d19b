import { describe, expect, test } from 'vitest'
import { CARDS } from '../../../src/contracts/actions/cards.ts'
import { ACTION_TYPES, type ActionType } from '../../../src/contracts/executions/action.ts'
import { runSteps } from '../../../src/device/screen/run.ts'
import { StepFailure } from '../../../src/device/screen/step-failure.ts'
import { fakeDriver, node, screen } from '../../support/device/fake-ui-driver.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { act } from './act.ts'

const press = (key: string) => ({ type: 'press_key', params: { key } }) as const
const missing = { type: 'click', params: { matcher: { textEquals: 'none' } } } as const

describe('a list of steps', () => {
  test('runs in its order', async () => {
    const { stepResults, error, driver } = await act([
      press('back'),
      { type: 'sleep', params: { durationMs: 5 } },
      press('home'),
    ])
    expect(error).toBeNull()
    expect(stepResults).toEqual([
      { id: 'a', actionType: 'press_key', success: true, data: { key: 'back' } },
      { id: 'b', actionType: 'sleep', success: true, data: { duration_ms: '5' } },
      { id: 'c', actionType: 'press_key', success: true, data: { key: 'home' } },
    ])
    expect(driver.deeds()).toEqual([
      ['pressKey', 'back'],
      ['pressKey', 'home'],
    ])
  })

  test('ends at the first failure', async () => {
    const { stepResults, error, driver } = await act([press('back'), missing, press('home')])
    expect(stepResults.map(({ id, success }) => [id, success])).toEqual([
      ['a', true],
      ['b', false],
    ])
    expect(error).toEqual({
      code: 'NODE_NOT_FOUND',
      message: 'Step "b" (click) failed: No UI node found matching criteria textEquals=none.',
      details: { actionId: 'b', actionType: 'click' },
    })
    expect(driver.deeds()).toEqual([['pressKey', 'back']])
  })

  test('tells the end of each step, and goes on once that was heard', async () => {
    const driver = fakeDriver()
    const events: unknown[] = []
    const actions = [press('back'), press('home')].map((action, index) => ({ id: `step-${index}`, ...action }))
    await runSteps(actions, {
      ...{ driver, clock: manualClock(), signal: new AbortController().signal, random: () => 0 },
      async onStepEnd(step, success) {
        await Promise.resolve()
        events.push([step, success, driver.deeds().length])
      },
    })
    expect(events).toEqual([
      [0, true, 1],
      [1, true, 2],
    ])
  })

  test('tells the end of a failed step, which is the last', async () => {
    const events: unknown[] = []
    await act([press('back'), missing, press('home')], {
      onStepEnd: (step, success) => events.push([step, success]),
    })
    expect(events).toEqual([
      [0, true],
      [1, false],
    ])
  })

  test('of none is a success', async () => {
    expect(await act([])).toMatchObject({ stepResults: [], error: null })
  })

  test('does not begin a step after the time of the execution', async () => {
    const steps = [{ type: 'sleep', params: { durationMs: 1_000 } } as const, press('home')]
    const { stepResults, driver } = await act(steps, { deadline: 1_001_000 })
    expect(stepResults[1]?.data).toEqual({
      error: 'ACTION_FAILED',
      message: 'the execution timed out before the step began',
    })
    expect(driver.deeds()).toEqual([])
  })
})

describe('a driver that throws', () => {
  const throwing = (error: Error) => {
    const driver = { ...fakeDriver(), pressKey: () => Promise.reject(error) }
    const options = { driver, clock: manualClock(), signal: new AbortController().signal, random: () => 0 }
    return runSteps([{ id: 'a', type: 'press_key', params: { key: 'back' } }], options)
  }

  test('a StepFailure fails the step with its reason', async () => {
    const { stepResults } = await throwing(new StepFailure('GLOBAL_ACTION_FAILED', 'no keys', { data: { more: 'x' } }))
    expect(stepResults[0]).toMatchObject({
      success: false,
      data: { error: 'GLOBAL_ACTION_FAILED', message: 'no keys', more: 'x' },
    })
  })

  test('anything else ends the execution', async () => {
    await expect(throwing(new Error('the link is lost'))).rejects.toThrow('the link is lost')
  })
})

describe('an abort', () => {
  const setup = () => {
    const clock = manualClock()
    const controller = new AbortController()
    const driver = fakeDriver({ tree: () => screen(node()) })
    return { clock, controller, driver, options: { clock, driver, signal: controller.signal, random: () => 0 } }
  }
  const turn = () => new Promise(resolve => setImmediate(resolve))
  const matcher = { textEquals: 'none' }

  test.each([
    ['a sleep', { id: 'a', type: 'sleep', params: { durationMs: 60_000 } }],
    ['a wait for a node', { id: 'a', type: 'wait_for_node', params: { matcher, timeoutMs: 60_000 } }],
    [
      'a wait for a window',
      { id: 'a', type: 'wait_for_navigation', params: { expectedNode: matcher, timeoutMs: 30_000 } },
    ],
    [
      'a retry',
      {
        id: 'a',
        type: 'enter_text',
        params: { matcher, text: 'x', append: false, clear: false, submit: false, retry: {} },
      },
    ],
  ] as const)('ends %s at once', async (_name, action) => {
    const { clock, controller, driver, options } = setup()
    const work = runSteps([action], options)
    await turn()
    controller.abort(new Error('cancelled'))
    await expect(work).rejects.toThrow('cancelled')
    const asked = driver.calls.length
    clock.advance(120_000)
    await turn()
    expect(driver.calls).toHaveLength(asked)
    expect(clock.pending()).toBe(0)
  })

  test('is not held up by a driver that never answers, and nothing is asked of it after', async () => {
    const { controller, driver, options } = setup()
    const silent = { ...driver, openApp: () => new Promise<never>(() => {}) }
    const actions = [
      {
        id: 'a',
        type: 'open_app',
        params: { applicationId: 'x', skipNavigationWait: true, navigationTimeoutMs: 1_000 },
      },
      { id: 'b', type: 'press_key', params: { key: 'home' } },
    ] as const
    const work = runSteps(actions, { ...options, driver: silent })
    await turn()
    controller.abort(new Error('cancelled'))
    await expect(work).rejects.toThrow('cancelled')
    expect(driver.calls).toEqual([])
  })

  test('before the start means that nothing is asked', async () => {
    const { controller, driver, options } = setup()
    controller.abort(new Error('cancelled'))
    await expect(runSteps([{ id: 'a', type: 'press_key', params: { key: 'home' } }], options)).rejects.toThrow(
      'cancelled',
    )
    expect(driver.calls).toEqual([])
  })
})

describe('the contract of each action', () => {
  const matcher = { textEquals: 'Label' }
  const PARAMS: Record<ActionType, object | undefined> = {
    open_app: { applicationId: 'com.example' },
    open_uri: { uri: 'a:b' },
    close_app: { applicationId: 'com.example' },
    install_app: { paths: ['/a.apk'], grantPermissions: false, downgrade: false },
    uninstall_app: { applicationId: 'com.example', keepData: false },
    change_setting: { setting: 'font_scale', value: 1.3, force: false },
    restore_settings: undefined,
    read_page: { read: 'pages' },
    change_page: { applicationId: 'com.example', page: 'A', change: 'back' },
    page_script: { applicationId: 'com.example', page: 'A', script: '', args: '[]', isAsync: false, timeoutMs: 1 },
    clear_app: { applicationId: 'com.example' },
    push_file: { from: '/a', to: '/b', overwrite: true },
    pull_file: { from: '/a', to: '/b', overwrite: false },
    remove_file: { path: '/a', recursive: false },
    add_media: { paths: ['/a.png'] },
    set_permission: { applicationId: 'com.example', permission: 'camera', state: 'allow' },
    measure_startup: { applicationId: 'com.example', runs: 1, stopFirst: true },
    click: { matcher },
    double_tap: { matcher },
    drag: { from: { matcher }, to: { coordinate: { x: 1, y: 2 } } },
    pinch: { matcher, scale: 2 },
    move_fingers: {
      fingers: [
        [
          { x: 1, y: 1, ms: 0 },
          { x: 9, y: 9, ms: 50 },
        ],
      ],
    },
    swipe: { start: { x: 0, y: 0 }, end: { x: 1, y: 1 } },
    scroll: undefined,
    scroll_until: { matcher },
    scroll_and_click: { matcher },
    wait_for_node: { matcher },
    wait_for_navigation: { expectedNode: matcher, timeoutMs: 1_000 },
    wait_for_idle: undefined,
    read_text: { matcher },
    read_key_value_pair: { labelMatcher: matcher },
    enter_text: { matcher, text: 'x' },
    erase_text: undefined,
    press_key: { key: 'back' },
    hide_keyboard: undefined,
    get_clipboard: undefined,
    set_clipboard: { text: 'x' },
    shell: { command: 'id' },
    expand_shade: { shade: 'notifications' },
    collapse_shade: undefined,
    answer_dialog: { answer: 'accept' },
    snapshot: undefined,
    take_screenshot: undefined,
    sleep: { durationMs: 1 },
    show_toast: { text: 'x' },
    cancel_toast: undefined,
    set_on_screen_log: { text: 'x' },
    clear_on_screen_log: undefined,
  }
  const labelled = node({ text: 'Label', clickable: true, at: [0, 0, 50, 50] })
  const tree = () =>
    screen(
      node({
        scrollable: false,
        children: [
          labelled,
          node({ text: 'OK', resourceId: 'android:id/button1', clickable: true, at: [0, 60, 50, 90] }),
          node({ text: 'v', at: [50, 0, 90, 50] }),
          node({ scrollable: true }),
        ],
      }),
    )
  const input = (type: ActionType) =>
    ({ type, ...(PARAMS[type] ? { params: PARAMS[type] } : {}) }) as Parameters<typeof act>[0]
  const performed = ACTION_TYPES.filter(type => CARDS[type].by !== 'link')

  test.each(performed)('%s answers with the documented keys', async type => {
    const { data, error } = await act(input(type), { ui: { tree, values: {} } })
    expect(error).toBeNull()
    expect(Object.keys(data)).toEqual(expect.arrayContaining([...CARDS[type].data]))
    if (type !== 'set_on_screen_log') expect(Object.keys(data)).toHaveLength(CARDS[type].data.length)
    for (const value of Object.values(data)) expect(typeof value).toBe('string')
  })

  test.each(performed)('%s fails with documented codes', async type => {
    const everything = ['click', 'tap', 'swipe', 'enterText', 'pressKey', 'openUri', 'showToast']
    everything.push('doubleTap', 'drag', 'pinch', 'moveFingers', 'erase', 'expandShade', 'collapseShade')
    const ui = {
      tree: () => undefined,
      values: {},
      apps: [],
      front: () => '',
      isKeyboardShown: () => true,
      refused: new Set(everything),
    }
    const { error } = await act(input(type), { ui })
    const codes: readonly string[] = CARDS[type].failures
    if (error) expect(codes).toContain(error.code)
    else expect(['sleep', 'wait_for_idle', 'cancel_toast', 'set_on_screen_log', 'clear_on_screen_log']).toContain(type)
  })
})
