/** The actions that the host performs, with each operator on a simulated phone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyboardApk, snapshotApk } from '../../../support/device/helper-apks.ts'
import { type Lab, type LabOptions, startLab } from '../../../support/executions/lab.ts'
import { appOf, scenarioOf } from '../../../support/simulator/simulated-ui.ts'

interface OperatorLab extends LabOptions {
  operatorPackage?: string
}

const OPERATORS: [string, OperatorLab][] = [
  ['an operator app at a socket', { operator: 'socket' }],
  ['an operator app by broadcast', { operator: 'broadcast' }],
  ['svc.shell', { operator: 'none', operatorPackage: 'svc.shell' }],
  ['svc.uiautomator', { operator: 'none', operatorPackage: 'svc.uiautomator', apks: [snapshotApk(), keyboardApk()] }],
]

const READER = 'com.example'
const DIALOG = scenarioOf(
  appOf({
    main: { nodes: [{ text: 'Draft', onTap: { goTo: 'ask' } }] },
    ask: {
      dialog: {},
      nodes: [
        { text: 'Discard draft?', resourceId: `${READER}:id/alertTitle` },
        { class: 'Button', text: 'Keep', resourceId: 'android:id/button2', onTap: { back: true } },
        { class: 'Button', text: 'Discard', resourceId: 'android:id/button1', onTap: { goTo: 'gone' } },
      ],
    },
    gone: { nodes: [{ text: 'Discarded' }] },
  }),
)

const open = { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }
const SWITCH = { resourceId: 'com.android.settings:id/wifi_switch' }
const FIELD = { resourceId: 'com.android.settings:id/search' }

describe.each(OPERATORS)('%s', (_name, { operatorPackage, ...options }) => {
  let lab: Lab
  beforeAll(async () => {
    lab = await startLab(options)
  })
  afterAll(() => lab.close())

  const run = async (...actions: object[]) => {
    const named = actions.map((action, index) => ({ id: `s${index}`, ...action }))
    const { result } = await lab.execute(named, operatorPackage === undefined ? {} : { operatorPackage })
    if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
    return result.envelope
  }
  const phone = () => {
    const [device] = lab.fleet.devices
    if (!device) throw new Error('there is no phone')
    return device.phone
  }
  const hasKeyboard = () =>
    phone()
      .windows()
      .some(window => 'title' in window && window.title === 'InputMethod')
  const isOn = () =>
    /"checked":(\w+)/.exec(/\{[^{}]*wifi_switch[^{}]*/.exec(JSON.stringify(phone().tree()))?.[0] ?? '')?.[1]

  test('a double tap taps twice', async () => {
    await run(open)
    const before = isOn()
    expect(await run({ type: 'double_tap', params: { matcher: SWITCH } })).toMatchObject({ status: 'success' })
    expect(isOn()).toBe(before)
    await run({ type: 'click', params: { matcher: SWITCH } })
    expect(isOn()).not.toBe(before)
  })

  test('a drag without a rest moves a list', async () => {
    await run(open)
    const before = phone().tree()
    const { stepResults } = await run(
      open,
      {
        type: 'drag',
        params: { from: { coordinate: { x: 400, y: 1200 } }, to: { coordinate: { x: 400, y: 300 } }, holdMs: 0 },
      },
      { type: 'wait_for_idle' },
    )
    expect(stepResults.map(({ data }) => data)).toMatchObject([{}, {}, { settled: 'true' }])
    expect(phone().tree()).not.toEqual(before)
    await run({ type: 'close_app', params: { applicationId: 'com.android.settings' } })
  })

  test('a node that is not there is named as with a click', async () => {
    const to = { matcher: { textEquals: 'Nowhere' } }
    const envelope = await run(open, { type: 'drag', params: { from: { matcher: SWITCH }, to } })
    expect(envelope).toMatchObject({ status: 'failed', errorCode: 'NODE_NOT_FOUND' })
  })

  test('the keyboard is hidden, and the screen below it stays', async () => {
    await run(open, { type: 'click', params: { matcher: FIELD } })
    expect(hasKeyboard()).toBe(true)
    await run({ type: 'hide_keyboard' }, { type: 'hide_keyboard' })
    expect(hasKeyboard()).toBe(false)
    expect(phone().foreground().packageName).toBe('com.android.settings')
  })

  test('the shade opens and closes', async () => {
    const open = await run({ type: 'expand_shade', params: { shade: 'notifications' } })
    expect(open.status).toBe('success')
    expect(phone().foreground().packageName).toBe('com.android.systemui')
    await run({ type: 'collapse_shade' }, { type: 'collapse_shade' })
    expect(phone().foreground().packageName).not.toBe('com.android.systemui')
  })

  test('keys of any name reach the phone', async () => {
    const { stepResults } = await run(
      open,
      { type: 'click', params: { matcher: FIELD } },
      { type: 'press_key', params: { key: 'A' } },
      { type: 'press_key', params: { key: 'dpad left' } },
      { type: 'press_key', params: { key: 'b' } },
      { type: 'press_key', params: { key: 'volume_up', longPress: true } },
      { type: 'read_text', params: { matcher: FIELD } },
      { type: 'enter_text', params: { matcher: FIELD, text: 'x', clear: true } },
    )
    expect(stepResults[6]?.data).toMatchObject({ text: 'ba' })
    expect(stepResults[3]?.data).toEqual({ key: 'dpad_left' })
  })

  test('a dialog that is not there cannot be answered', async () => {
    const envelope = await run(open, { type: 'answer_dialog', params: { answer: 'accept' } })
    expect(envelope).toMatchObject({ status: 'failed', errorCode: 'DIALOG_NOT_FOUND' })
  })

  test('a pinch needs two fingers', async () => {
    const envelope = await run({ type: 'pinch', params: { coordinate: { x: 400, y: 800 }, scale: 2 } })
    if (operatorPackage === 'svc.uiautomator') {
      expect(envelope.stepResults).toMatchObject([{ success: true, data: { scale: '2' } }])
    } else {
      expect(envelope).toMatchObject({ status: 'failed', errorCode: 'EXECUTION_ACTION_UNSUPPORTED' })
      expect(envelope.error?.hint).toContain('svc operator install')
    }
  })
})

describe.each(OPERATORS)('a dialog, with %s', (_name, { operatorPackage, ...options }) => {
  test('is answered by the button that the answer means', async () => {
    const lab = await startLab({ ...options, scenario: DIALOG })
    try {
      const { result } = await lab.execute(
        [
          { id: 'open', type: 'open_app', params: { applicationId: READER } },
          { id: 'ask', type: 'click', params: { matcher: { textEquals: 'Draft' } } },
          { id: 'answer', type: 'answer_dialog', params: { answer: 'accept' } },
          { id: 'wait', type: 'wait_for_node', params: { matcher: { textEquals: 'Discarded' } } },
        ],
        operatorPackage === undefined ? {} : { operatorPackage },
      )
      expect(result).toMatchObject({
        ok: true,
        envelope: {
          status: 'success',
          stepResults: [{}, {}, { data: { button: 'Discard', title: 'Discard draft?' } }, { success: true }],
        },
      })
    } finally {
      await lab.close()
    }
  })
})
