/** Valid samples of the shapes around one execution, by schema name. */
import type { SchemaName } from '../../../src/contracts/json/public-shapes.ts'

export const matcher = { resourceId: 'com.android.settings:id/list', textContains: 'Battery' }

const element = {
  ...{ className: 'android.widget.Button', resourceId: '', packageName: 'com.example', contentDesc: 'Add', text: '' },
  ...{ hint: 'Name', around: 'a1', toldBy: 'row', label: 'b2' },
  row: { isOfList: true, title: 'c3', names: 'd4', words: ['c3'], path: 'e5', others: 'f6' },
  context: { heading: ['h8'], before: ['c3', 'i9'], within: ['k1'], after: [] },
  place: { nth: 1, of: 3, nthAlike: 0, alike: 1, layout: 'g7', offset: { x: 0, y: -20 } },
  screen: { isDialog: false, fixed: ['h8'], scrolled: ['c3', 'i9'] },
}

const flowSelector = {
  ...{ text: 'Buy', id: 'buy', width: 10, height: 20, tolerance: 2, enabled: true, selected: false, checked: false },
  ...{
    focused: true,
    traits: ['text', 'square', 'long-text'],
    index: -1,
    below: { text: '.*', childOf: { id: 'list' } },
  },
  containsDescendants: [{ text: 'a' }],
}

const step = (type: string, params?: object) => ({ id: `${type}-1`, type, ...(params ? { params } : {}) })

export const actions = [
  step('open_app', { applicationId: 'com.android.settings' }),
  step('open_uri', { uri: 'https://example.com' }),
  step('close_app', { applicationId: 'com.android.settings' }),
  step('install_app', { paths: ['/tmp/base.apk', '/tmp/split.apk'], grantPermissions: true }),
  step('uninstall_app', { applicationId: 'com.example', keepData: true }),
  step('clear_app', { applicationId: 'com.example' }),
  step('push_file', { from: '/home/me/a', to: '/sdcard/a', overwrite: false }),
  step('pull_file', { from: 'files/a', to: 'a', applicationId: 'com.example', overwrite: true }),
  step('remove_file', { path: '/sdcard/a', recursive: true }),
  step('set_permission', { applicationId: 'com.example', permission: 'camera', state: 'allow' }),
  step('open_app', {
    applicationId: 'com.example',
    activity: '.Detail',
    arguments: { title: 'To do', id: 7, ratio: 0.5, isNew: true },
    clearState: true,
    stopFirst: true,
    permissions: { 'android.permission.CAMERA': 'deny', all: 'unset' },
  }),
  step('change_setting', { setting: 'dark_mode', value: 'on' }),
  step('change_setting', { setting: 'battery', value: { level: 15, plugged: 'ac' } }),
  step('restore_settings'),
  step('measure_startup', { applicationId: 'com.example', runs: 3, stopFirst: false }),
  step('click', { matcher, clickType: 'long_click', retry: { maxAttempts: 3, backoffMultiplier: 1.5 } }),
  step('click', { coordinate: { x: 1, y: 2 } }),
  step('click', {
    matcher: { flow: flowSelector },
    point: { x: 10, y: 5, unit: 'pixel' },
    repeat: 3,
    repeatDelayMs: 0,
  }),
  step('click', { point: { x: 50, y: 99.5, unit: 'percent' }, clickType: 'long_click', holdMs: 3_000 }),
  step('swipe', { start: { x: 1, y: 2 }, end: { x: 3, y: 4 }, durationMs: 10 }),
  step('swipe', { start: { x: 1, y: 2, unit: 'percent' }, end: { x: 3, y: 4, unit: 'pixel' } }),
  step('swipe', { direction: 'up' }),
  step('swipe', { direction: 'left', from: { matcher }, point: { x: 0, y: 100, unit: 'percent' } }),
  step('erase_text', { characters: 3 }),
  step('add_media', { paths: ['/tmp/a.png', '/tmp/b.mp4'] }),
  step('close_app', { applicationId: 'com.example', background: true }),
  step('open_uri', { uri: 'https://example.com', browser: true }),
  step('double_tap', { point: { x: 50, y: 50, unit: 'percent' } }),
  step('take_screenshot', { matcher }),
  step('read_text', { matcher, orHint: true }),
  step('scroll_until', {
    matcher,
    wholeScreen: true,
    swipeDurationMs: 601,
    minVisiblePercent: 100,
    centerTarget: true,
  }),
  step('double_tap', { matcher }),
  step('drag', { from: { matcher }, to: { coordinate: { x: 3, y: 4 } }, holdMs: 0 }),
  step('pinch', { coordinate: { x: 1, y: 2 }, scale: 1.5 }),
  step('move_fingers', {
    fingers: [
      [
        { x: 1, y: 2, ms: 0 },
        { x: 3, y: 4, ms: 50 },
      ],
    ],
  }),
  step('hide_keyboard'),
  step('get_clipboard'),
  step('set_clipboard', { text: 'copied' }),
  step('read_page', { applicationId: 'com.example', page: 'A-1', read: 'find', by: 'xpath', value: '//a' }),
  step('change_page', { applicationId: 'com.example', page: 'A-1', change: 'clear', element: 'd1:2' }),
  step('page_script', { applicationId: 'com.example', page: 'A-1', script: 'return 1' }),
  step('shell', { command: 'getprop ro.build.version.sdk' }),
  step('expand_shade', { shade: 'notifications' }),
  step('collapse_shade'),
  step('answer_dialog', { answer: 'accept' }),
  step('wait_for_idle'),
  step('press_key', { key: 'Volume Up', longPress: true }),
  step('scroll'),
  step('scroll', { direction: 'up', container: matcher, distanceRatio: 0.5 }),
  step('scroll_until', { matcher, clickAfter: true }),
  step('scroll_and_click', { matcher, clickType: 'focus' }),
  step('wait_for_node', { matcher, timeoutMs: 1 }),
  step('wait_for_navigation', { expectedNode: matcher, timeoutMs: 1 }),
  step('wait_for_navigation', { expectedPackage: 'com.example', timeoutMs: 1 }),
  step('read_text', { matcher, validator: 'regex', validatorPattern: '\\d+' }),
  step('read_key_value_pair', { labelMatcher: matcher, all: true }),
  step('enter_text', { matcher, text: 'hello', submit: true }),
  step('enter_text', { text: 'hello' }),
  step('press_key', { key: 'Back' }),
  step('snapshot'),
  step('take_screenshot', { path: '/tmp/a.png' }),
  step('sleep', { durationMs: 0 }),
  step('show_toast', { text: 'Hi', duration: 'long' }),
  step('cancel_toast'),
  step('set_on_screen_log', { text: 'Hi\n\tthere', textColor: '#A0b1C2', widthDp: 80 }),
  step('set_on_screen_log', { template: '{{device.model}}', anchor: 'right' }),
  step('clear_on_screen_log', {}),
]

export const execution = {
  commandId: 'cmd-1',
  taskId: 'task-1',
  source: 'tests',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  actions: [step('snapshot'), step('click', { matcher })],
}

export const error = {
  code: 'NODE_NOT_FOUND',
  message: 'No UI node',
  details: { at: 1 },
  hint: 'look',
  retriable: false,
}

export const stepResult = { id: 'snap', actionType: 'snapshot', success: true, data: { text: '<hierarchy/>' } }

export const envelope = {
  commandId: 'cmd-1',
  taskId: 'task-1',
  status: 'failed',
  stepResults: [stepResult],
  error: { code: 'NODE_NOT_FOUND', message: 'No UI node', details: {} },
  errorCode: 'NODE_NOT_FOUND',
}

export const success = { ok: true, deviceId: 'emulator-5554', terminalSource: 'svc_result', envelope }
export const refusal = { ok: false, error }

export const receipt = {
  executionId: '01890a5d-ac96-774b-bcce-b302099a8057',
  commandId: 'cmd-1',
  taskId: 'task-1',
  deviceId: 'emulator-5554',
  state: 'settled',
  acceptedAt: 1_700_000_000_000,
  dispatchedAt: 1_700_000_000_001,
  settledAt: 1_700_000_000_002,
  result: success,
}
const accepted = { ...receipt, state: 'accepted', dispatchedAt: undefined, settledAt: undefined, result: undefined }
const openReceipt = JSON.parse(JSON.stringify(accepted))

export const SAMPLES = {
  CliFailure: [error],
  ErrorObject: [error, { code: 'USAGE', message: 'which one?' }],
  HttpFailure: [refusal],
  Matcher: [
    matcher,
    { role: 'button' },
    { textMatches: 'no \\d+', enabled: true, checked: false, selected: true, focused: false, index: -1 },
    { role: 'switch', rightOf: { textEquals: 'Wi-Fi', index: 0 }, childOf: { role: 'list' } },
    { flow: flowSelector },
    { element },
  ],
  ElementIdentity: [element],
  FlowSelector: [flowSelector, { css: 'main', traits: ['text'], webElements: true }],
  RelatedMatcher: [matcher, { textContains: 'row', index: 2 }],
  Retry: [{ maxAttempts: 1, initialDelayMs: 0, maxDelayMs: 60_000, backoffMultiplier: 5, jitterRatio: 0.5 }, {}],
  Action: actions,
  Execution: [execution, { ...execution, mode: 'direct' }],
  ExecuteRequest: [{ execution, deviceId: '', operatorPackage: 'com.svc.operator' }, { execution }],
  SnapshotBody: [{}, { deviceId: 'a', operatorPackage: 'b' }],
  LookBody: [{}, { deviceId: 'a', operatorPackage: 'b' }],
  ResumeBody: [{}, { deviceId: 'd1', operatorPackage: 'svc.shell', fromStep: 'open' }],
  ScreenshotBody: [{}, { deviceId: 'a', operatorPackage: 'b', path: 'c.png' }],
  StepResult: [stepResult],
  EnvelopeError: [envelope.error],
  ResultEnvelope: [envelope, { ...envelope, error: null }],
  ExecutionSuccess: [success],
  ExecutionResult: [success, refusal],
  Receipt: [receipt, openReceipt, { ...receipt, state: 'interrupted', result: refusal }],
  ReceiptOutput: [{ execution: receipt }],
  ReceiptsOutput: [{ executions: [receipt, openReceipt], count: 2 }],
  ReceiptResponse: [{ ok: true, execution: receipt }],
  ReceiptsResponse: [{ ok: true, executions: [], count: 0 }],
  ExecutionsQuery: [{}, { deviceId: 'a', commandId: 'b', taskId: 't', skillRunId: 'c', limit: '10' }],
  DeviceCommandOutput: [{ envelope, deviceId: 'a', terminalSource: 'svc_result', isCanonicalTerminal: true }],
  ValidateOnlyOutput: [{ ok: true, validated: true, execution }],
  DryRunOutput: [
    { ok: true, dryRun: true, plan: { commandId: 'a', timeoutMs: 1_000, actionCount: 1, actions: [step('snapshot')] } },
  ],
} satisfies Partial<Record<SchemaName, unknown[]>>
