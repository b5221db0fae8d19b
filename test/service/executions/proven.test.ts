import { describe, expect, test } from 'vitest'
import type { Action } from '../../../src/contracts/executions/action.ts'
import type { ExecutionResult, StepResult } from '../../../src/contracts/executions/execution-result.ts'
import { proofOf } from '../../../src/service/executions/proven.ts'
import { validateExecution } from '../../../src/service/executions/validate.ts'
import { payloadOf } from '../../support/executions/lab.ts'

const BACK = { type: 'press_key', params: { key: 'back' } }
const LOOK = { type: 'snapshot' }
const SHOT = { type: 'take_screenshot' }

const actionsOf = (...steps: object[]): Action[] => {
  const validation = validateExecution(payloadOf(steps.map((step, index) => ({ id: `s${index}`, ...step }))))
  if (!validation.ok) throw new Error(validation.error.message)
  return validation.execution.actions
}

const failedWith = (details: Record<string, unknown>): ExecutionResult => ({
  ok: false,
  error: { code: 'DEVICE_LINK_LOST', message: 'Lost.', details },
})

const answered = (stepResults: StepResult[], errorCode?: string): ExecutionResult => ({
  ok: true,
  deviceId: 'd1',
  terminalSource: 'svc_result',
  envelope: {
    commandId: 'c',
    taskId: 't',
    status: errorCode === undefined ? 'success' : 'failed',
    stepResults,
    error: errorCode === undefined ? null : { code: errorCode, message: 'Failed.' },
    ...(errorCode === undefined ? {} : { errorCode }),
  },
})

const ran = (action: Action | undefined, error?: string): StepResult => ({
  id: action?.id ?? '',
  actionType: action?.type ?? '',
  success: error === undefined,
  data: error === undefined ? {} : { error },
})

const proofFor = (
  actions: Action[],
  lastSegment: number | undefined,
  result: ExecutionResult,
  settled?: ExecutionResult,
) => {
  const dispatch = { execution: { actions } } as Parameters<typeof proofOf>[1]['dispatch']
  const receipt = { result, ...(lastSegment === undefined ? {} : { dispatchedAt: 1 }) }
  const { proven, doubtful } = proofOf(receipt, {
    ...{ dispatch, lastSegment, settled, lastStep: undefined, lastCount: undefined, durationMs: 1 },
    ...{ nonce: undefined, isStepped: false, isPart: false, isUnbegun: false, ended: new Map(), learned: undefined },
  })
  return { proven, doubtful: doubtful.map(({ id }) => id) }
}

describe('proven is', () => {
  const actions = actionsOf(BACK, SHOT, LOOK, BACK, BACK)

  test('nothing of what was never sent', () => {
    expect(proofFor(actions, undefined, failedWith({ dispatched: false }))).toEqual({ proven: 0, doubtful: [] })
  })

  test('what came before the last segment that left; the acting steps of that one may have run', () => {
    expect(proofFor(actions, 0, failedWith({ dispatched: true }))).toEqual({ proven: 0, doubtful: ['s0'] })
    expect(proofFor(actions, 2, failedWith({ dispatched: true }))).toEqual({ proven: 2, doubtful: ['s3', 's4'] })
  })

  test.each([
    ['install_app', { paths: ['/tmp/app.apk'] }],
    ['uninstall_app', { applicationId: 'com.example' }],
    ['clear_app', { applicationId: 'com.example' }],
  ])('no %s whose segment left: it may have run', (type, params) => {
    const removing = actionsOf(BACK, { type, params }, BACK)
    expect(proofFor(removing, 1, failedWith({ dispatched: true }))).toEqual({ proven: 1, doubtful: ['s1'] })
  })

  test.each([
    ['change_setting', { setting: 'wifi', value: false }],
    ['restore_settings', {}],
  ])('no %s whose segment left, but it may run again', (type, params) => {
    const changing = actionsOf(BACK, { type, params }, BACK)
    expect(proofFor(changing, 1, failedWith({ dispatched: true }))).toEqual({ proven: 1, doubtful: [] })
  })

  test('what came before a segment that the device refused: nothing of it is in doubt', () => {
    const result = failedWith({ dispatched: true, inDoubt: false, completedSteps: ['s0', 's1'] })
    expect(proofFor(actions, 2, result)).toEqual({ proven: 2, doubtful: [] })
  })

  test('what a cancelled execution reported after its caller was answered', () => {
    const late = answered(
      [ran(actions[0]), ran(actions[1]), ran(actions[2]), ran(actions[3], 'GLOBAL_ACTION_FAILED')],
      'x',
    )
    expect(proofFor(actions, 2, failedWith({ dispatched: true }), late)).toEqual({ proven: 3, doubtful: [] })
  })

  test('each step up to the failed one, with which a resumption begins', () => {
    const result = answered([ran(actions[0]), ran(actions[1], 'EVIDENCE_CAPTURE_FAILED')], 'EVIDENCE_CAPTURE_FAILED')
    expect(proofFor(actions, 1, result)).toEqual({ proven: 1, doubtful: [] })
  })

  test('not what an operator that broke says nothing about', () => {
    const [first] = actions
    expect(proofFor(actions, 2, answered([ran(first), ran(actions[1])], 'ACTION_FAILED'))).toEqual({
      proven: 2,
      doubtful: ['s3', 's4'],
    })
    expect(proofFor(actions, 2, answered([ran(first), ran(actions[1])], 'SERVICE_UNAVAILABLE'))).toEqual({
      proven: 2,
      doubtful: [],
    })
    expect(proofFor(actions, 0, answered([{ ...ran(first), id: 'other' }], 'ACTION_FAILED'))).toEqual({
      proven: 0,
      doubtful: ['s0'],
    })
  })
})

test('a segment that only looks is looked at again: whether it ran does not matter', () => {
  const actions = actionsOf(SHOT, LOOK, { type: 'sleep', params: { durationMs: 1 } })
  expect(proofFor(actions, 1, failedWith({ dispatched: true }))).toEqual({ proven: 1, doubtful: [] })
})

test('a text that was to be added to a field, or submitted, may be there although its step failed', () => {
  const typing = (more: object) =>
    actionsOf({ type: 'enter_text', params: { matcher: { textEquals: 'Name' }, text: 'x', ...more } })
  const failedAs = (actions: Action[], code: string) =>
    proofFor(actions, 0, answered([ran(actions[0], code)], code)).doubtful
  expect(failedAs(typing({ append: true }), 'ACTION_FAILED')).toEqual(['s0'])
  expect(failedAs(typing({ submit: true }), 'ACTION_FAILED')).toEqual(['s0'])
  expect(failedAs(typing({}), 'ACTION_FAILED')).toEqual([])
  expect(failedAs(typing({ append: true }), 'NODE_NOT_FOUND')).toEqual([])
  const here = actionsOf({ type: 'enter_text', params: { text: 'x' } })
  expect(failedAs(here, 'ACTION_FAILED')).toEqual(['s0'])
  expect(failedAs(here, 'NODE_NOT_FOUND')).toEqual([])
})

test('a command line that was ended, because it did not end in time, may have done a part of its work', () => {
  const actions = actionsOf(BACK, { type: 'shell', params: { command: 'id' } })
  const result = answered([ran(actions[0]), ran(actions[1], 'ACTION_FAILED')], 'ACTION_FAILED')
  expect(proofFor(actions, 1, result)).toEqual({ proven: 1, doubtful: ['s1'] })
})

test('the clipboard is read again, and not set again', () => {
  const set = { type: 'set_clipboard', params: { text: 'x' } }
  expect(proofFor(actionsOf(BACK, { type: 'get_clipboard' }), 1, failedWith({}))).toEqual({ proven: 1, doubtful: [] })
  expect(proofFor(actionsOf(BACK, set), 1, failedWith({}))).toEqual({ proven: 1, doubtful: ['s1'] })
})

test.each([
  { type: 'shell', params: { command: 'id' } },
  { type: 'double_tap', params: { coordinate: { x: 1, y: 2 } } },
  { type: 'drag', params: { from: { coordinate: { x: 1, y: 2 } }, to: { coordinate: { x: 3, y: 4 } } } },
  { type: 'pinch', params: { coordinate: { x: 1, y: 2 }, scale: 2 } },
  {
    type: 'move_fingers',
    params: {
      fingers: [
        [
          { x: 1, y: 2, ms: 0 },
          { x: 3, y: 4, ms: 50 },
        ],
      ],
    },
  },
  { type: 'press_key', params: { key: 'volume_up' } },
  { type: 'hide_keyboard' },
  { type: 'expand_shade', params: { shade: 'notifications' } },
  { type: 'collapse_shade' },
  { type: 'answer_dialog', params: { answer: 'accept' } },
])('a $type that was sent without an answer is in doubt alone, for it has a segment of its own', gesture => {
  const actions = actionsOf(BACK, gesture, BACK)
  expect(proofFor(actions, 1, failedWith({}))).toEqual({ proven: 1, doubtful: ['s1'] })
})

test('a wait for a still screen is never in doubt', () => {
  expect(proofFor(actionsOf(BACK, { type: 'wait_for_idle' }), 1, failedWith({}))).toEqual({ proven: 1, doubtful: [] })
})
