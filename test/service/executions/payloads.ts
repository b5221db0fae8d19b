/** Valid payloads for the tests: one action of each type with every param that it knows, and what goes around them. */

export const around = (...actions: unknown[]) => ({
  commandId: 'cmd-1',
  taskId: 'task-1',
  source: 'tests',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  mode: 'direct',
  actions,
})

const matcher = {
  resourceId: 'com.example:id/a',
  role: 'button',
  textEquals: 'A',
  textContains: 'a',
  contentDescEquals: 'B',
  contentDescContains: 'b',
}
const retry = { maxAttempts: 2, initialDelayMs: 10, maxDelayMs: 100, backoffMultiplier: 2, jitterRatio: 0.5 }
const retries = { retry, scrollRetry: retry, clickRetry: retry }
const scrolling = {
  direction: 'up',
  container: matcher,
  distanceRatio: 0.5,
  settleDelayMs: 100,
  findFirstScrollableChild: false,
  ...retries,
}
const overlay = {
  anchor: 'right',
  textAlign: 'right',
  topOffsetDp: 1,
  edgeOffsetDp: 2,
  widthDp: 100,
  fontSizeSp: 10,
  textColor: '#A0B1C2',
  backgroundColor: '#80A0B1C2',
  ttlMs: 2_000,
}

const step = (type: string, params?: object) => ({ id: `a-${type}`, type, ...(params ? { params } : {}) })

/** Params that exclude each other are on actions of their own. */
export const FULL_ACTIONS = [
  step('open_app', {
    applicationId: 'com.example',
    skipNavigationWait: true,
    navigationTimeoutMs: 2_000,
    activity: '.Detail',
    arguments: {},
    clearState: false,
    stopFirst: true,
    permissions: { camera: 'allow' },
  }),
  step('open_uri', { uri: 'https://example.com' }),
  step('close_app', { applicationId: 'com.example' }),
  step('install_app', { paths: ['/tmp/app.apk'], grantPermissions: true, downgrade: true }),
  step('uninstall_app', { applicationId: 'com.example', keepData: true }),
  step('clear_app', { applicationId: 'com.example' }),
  step('push_file', { from: '/home/me/a', to: 'files/a', applicationId: 'com.example', overwrite: false }),
  step('pull_file', { from: 'files/a', to: '/home/me/a', applicationId: 'com.example', overwrite: true }),
  step('add_media', { paths: ['/home/me/a.png'] }),
  step('remove_file', { path: 'files/a', applicationId: 'com.example', recursive: true }),
  step('set_permission', { applicationId: 'com.example', permission: 'all', state: 'unset' }),
  step('change_setting', { setting: 'locale', value: 'fr-FR', applicationId: 'com.example', force: true }),
  step('restore_settings', {}),
  step('measure_startup', { applicationId: 'com.example', runs: 3, stopFirst: false }),
  step('click', { matcher, clickType: 'long_click', ...retries }),
  step('click', { coordinate: { x: 1, y: 2 }, clickType: 'default' }),
  step('click', {
    matcher: { flow: { text: 'Buy', below: { id: 'title' } } },
    point: { x: 50, y: 20, unit: 'percent' },
    clickType: 'long_click',
    ...{ holdMs: 3_000, repeat: 2, repeatDelayMs: 10 },
  }),
  step('double_tap', { matcher }),
  step('double_tap', { coordinate: { x: 1, y: 2 } }),
  step('drag', { from: { matcher }, to: { coordinate: { x: 1, y: 2 } }, holdMs: 0, durationMs: 10 }),
  step('pinch', { matcher, scale: 0.5, durationMs: 100 }),
  step('move_fingers', {
    fingers: [
      [
        { x: 1, y: 2, ms: 0 },
        { x: 3, y: 4, ms: 50 },
      ],
    ],
  }),
  step('hide_keyboard', {}),
  step('get_clipboard', {}),
  step('set_clipboard', { text: 'copied' }),
  step('read_page', {
    applicationId: 'com.example',
    page: 'A',
    frames: ['d:1'],
    read: 'find',
    element: 'd:2',
    by: 'css selector',
    value: 'li',
    index: 0,
    most: 1,
  }),
  step('change_page', {
    applicationId: 'com.example',
    page: 'A',
    frames: [],
    change: 'navigate',
    element: 'd:2',
    uri: 'https://example.com/',
  }),
  step('page_script', {
    applicationId: 'com.example',
    page: 'A',
    frames: [],
    script: 'return 1',
    args: '[]',
    isAsync: true,
    timeoutMs: 1,
  }),
  step('shell', { command: 'id' }),
  step('expand_shade', { shade: 'quick_settings' }),
  step('collapse_shade', {}),
  step('answer_dialog', { answer: 'accept' }),
  step('wait_for_idle', { timeoutMs: 10 }),
  step('press_key', { key: 'volume_up', longPress: true }),
  step('swipe', { start: { x: 1, y: 2 }, end: { x: 3, y: 4 }, durationMs: 10 }),
  step('scroll', scrolling),
  step('scroll_until', {
    ...scrolling,
    matcher,
    maxScrolls: 3,
    maxDurationMs: 500,
    noPositionChangeThreshold: 2,
    clickAfter: true,
  }),
  step('scroll_and_click', { ...scrolling, matcher, maxSwipes: 3, clickAfter: false, clickType: 'focus' }),
  step('wait_for_node', { matcher, timeoutMs: 500, ...retries }),
  step('wait_for_navigation', {
    expectedPackage: 'com.example',
    expectedNode: matcher,
    timeoutMs: 500,
    ...retries,
  }),
  step('read_text', {
    matcher,
    all: true,
    container: matcher,
    validator: 'regex',
    validatorPattern: '^[0-9]+$',
    ...retries,
  }),
  step('read_key_value_pair', { labelMatcher: matcher, all: true, ...retries }),
  step('enter_text', { matcher, text: 'hello', append: false, clear: true, submit: true, ...retries }),
  step('erase_text', { characters: 3 }),
  step('press_key', { key: 'back' }),
  step('snapshot', {}),
  step('take_screenshot', { path: '/tmp/a.png' }),
  step('sleep', { durationMs: 10 }),
  step('show_toast', { text: 'Hi', duration: 'long' }),
  step('cancel_toast', {}),
  step('set_on_screen_log', { text: 'Hi', ...overlay }),
  step('set_on_screen_log', { template: '{{device.model}}', ...overlay }),
  step('clear_on_screen_log', {}),
]

export const clicking = (params: unknown) => around({ id: 'open-it', type: 'click', params })

/** As deep as asked for, built without recursion. */
export const nested = (levels: number, wrap: (inner: unknown) => unknown = inner => [inner]): unknown => {
  let value: unknown = 0
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

export const deepFrozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFrozen)
  return value
}
