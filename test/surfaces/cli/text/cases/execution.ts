/** Executions: actions, screens, plans, failures, receipts. */
import { executionText } from '../../../../../src/surfaces/cli/text/execution.ts'
import { cancelText, receiptsText, receiptText, traceText } from '../../../../../src/surfaces/cli/text/receipts.ts'
import { type Case, CJK, EMOJI, HOSTILE, ID, NOW, RTL } from './case.ts'

const step = (id: string, actionType: string, data: Record<string, string> = {}, success = true) => ({
  id,
  actionType,
  success,
  data,
})
const envelopeOf = (stepResults: readonly object[], error: object | null = null) => ({
  commandId: 'cli-click-1',
  taskId: 'cli-click-1',
  status: error ? 'failed' : 'success',
  stepResults,
  error,
})
const outputOf = (stepResults: readonly object[], more: object = {}, error: object | null = null) => ({
  envelope: envelopeOf(stepResults, error),
  deviceId: 'emulator-5554',
  executionId: ID,
  ...more,
})

const SCREEN = [
  'screen 12 com.android.settings',
  `@12.1 text ${JSON.stringify(CJK.repeat(5))} tap`,
  `@12.2 switch ${JSON.stringify(`Wi-Fi ${EMOJI}`)} on`,
  `@12.3 button ${JSON.stringify(RTL)} disabled`,
  `@12.4 text ${JSON.stringify(HOSTILE)}\u009b31m`,
  '@12.5 list #recycler_view scroll',
].join('\n')

const snapshot = step('snap', 'snapshot', { text: SCREEN, format: 'compact', screen: '12' })

const missing = {
  code: 'NODE_NOT_FOUND',
  message: 'Step "click" (click) failed: No UI node found matching criteria textEquals=Wify.',
  details: {
    actionId: 'click',
    actionType: 'click',
    foreground: 'com.android.settings',
    nearest: [
      { ref: '@12.2', role: 'switch', label: 'Wi-Fi' },
      { ref: '@12.3', role: 'button', label: RTL },
      { ref: '@12.4', role: 'text', label: HOSTILE },
    ],
  },
  hint: 'Take a snapshot to see what is on the screen, then correct the selector, scroll to the node, or wait for it.',
}
const failedClick = step('click', 'click', { error: 'NODE_NOT_FOUND' }, false)

const result = { ok: true, deviceId: 'emulator-5554', terminalSource: 'svc_result' }
const receipt = {
  executionId: ID,
  commandId: 'cli-click-1',
  taskId: 'cli-click-1',
  deviceId: 'emulator-5554',
  operatorPackage: 'com.svc.operator',
  state: 'settled',
  acceptedAt: NOW - 3_250,
  dispatchedAt: NOW - 3_240,
  settledAt: NOW - 2_000,
  result: { ...result, envelope: envelopeOf([step('open', 'open_app', { application_id: 'com.android.settings' })]) },
}
const interrupted = {
  ...receipt,
  state: 'interrupted',
  acceptedAt: NOW - 90_000_000,
  dispatchedAt: NOW - 90_000_000,
  settledAt: undefined,
  doubtfulSteps: ['submit', 'look'],
  executedSteps: ['open'],
  result: {
    ok: false,
    error: { code: 'EXECUTION_INTERRUPTED', message: 'Its host died.', details: { executionId: ID, dispatched: true } },
  },
}
/** A list whose host died; the phone may be asked. */
const learning = {
  ...interrupted,
  acceptedAt: NOW - 10_000,
  dispatchedAt: NOW - 10_000,
  settledAt: NOW - 8_000,
  executedSteps: ['tap'],
  doubtfulSteps: [],
  actions: [
    { id: 'tap', type: 'click', title: 'Click “Wi-Fi”' },
    { id: 'wait', type: 'sleep', title: 'Wait 6 s' },
    { id: 'back', type: 'press_key', title: 'Press back' },
  ],
}
const toldTap = { id: 'tap', actionType: 'click', outcome: 'done', source: 'progress', at: NOW - 9_900 }
const done = (id: string, actionType: string) => ({ id, actionType, outcome: 'done', source: 'result' })
const unknown = (id: string, actionType: string) => ({ id, actionType, outcome: 'unknown' })
const notRun = (id: string, actionType: string) => ({ id, actionType, outcome: 'not_run' })
const unknownWait = unknown('wait', 'sleep')
const unknownBack = unknown('back', 'press_key')
const byPhone = { outcome: 'done', source: 'operator', at: NOW - 2_000 }
const missed = step('wait', 'sleep', { error: 'NODE_NOT_FOUND' }, false)
const { dispatchedAt: _, ...unsent } = receipt
const refused = {
  ok: false,
  error: { code: 'OPERATOR_NOT_INSTALLED', message: 'There is no operator.', details: { dispatched: false } },
}

const actions = [
  { id: 'home', type: 'press_key', params: { key: 'home' } },
  { id: 'tap', type: 'click', params: { matcher: { textEquals: CJK }, clickType: 'default' } },
  { id: 'look', type: 'snapshot' },
]
const execution = { commandId: 'c1', taskId: 't1', source: 'me', expectedFormat: 'x', timeoutMs: 30_000, actions }

export const EXECUTION_CASES: readonly Case[] = [
  {
    about: 'a click',
    printer: executionText,
    path: ['click'],
    flags: { text: 'Wi-Fi' },
    output: outputOf([step('click', 'click', { click_type: 'default' })]),
  },
  {
    about: 'a click that was observed',
    printer: executionText,
    path: ['click'],
    flags: { role: 'button', text: RTL },
    output: outputOf([step('click', 'click', { click_type: 'long_click' })], {
      observed: {
        screen: 13,
        text: `screen 13 com.x (changes since 12)\n+ @13.2 text "${CJK}"\n- button "OK"\n~ @13.3 switch "A" on was off`,
      },
    }),
  },
  {
    about: 'an action after which nothing could be seen',
    printer: executionText,
    path: ['back'],
    output: outputOf([step('back', 'press_key', { key: 'back' })], {
      observed: { text: 'screen ? (not seen: too late)' },
    }),
  },
  { about: 'a screen', printer: executionText, path: ['snapshot'], output: outputOf([snapshot]) },
  {
    about: 'a screen as XML',
    printer: executionText,
    path: ['snapshot'],
    output: outputOf([step('snap', 'snapshot', { text: `<hierarchy>\n  <node text="${CJK}"/>\n</hierarchy>\n` })]),
  },
  {
    about: 'texts that were read',
    printer: executionText,
    path: ['read'],
    output: outputOf([step('read', 'read_text', { text: JSON.stringify([CJK, EMOJI, RTL, HOSTILE]), count: '4' })]),
  },
  {
    about: 'a text that looks like a list',
    printer: executionText,
    path: ['read'],
    output: outputOf([step('read', 'read_text', { text: '[draft', count: '1' })]),
  },
  {
    about: 'a typed text',
    printer: executionText,
    path: ['type'],
    args: [EMOJI, 'Search'],
    output: outputOf([step('type', 'enter_text', { text: EMOJI, submit: 'true' })]),
  },
  {
    about: 'several steps with a screen between them',
    printer: executionText,
    path: ['exec'],
    output: outputOf([
      step('open', 'open_app', { application_id: 'com.android.settings' }),
      snapshot,
      step('value', 'read_key_value_pair', { label: CJK, value: '87 %' }),
      step('special', 'an_action_of_tomorrow'),
    ]),
  },
  {
    about: 'a step that failed',
    printer: executionText,
    path: ['click'],
    output: outputOf([failedClick], {}, missing),
  },
  {
    about: 'several steps, of which the last failed',
    printer: executionText,
    path: ['exec'],
    output: outputOf([step('home', 'press_key', { key: 'home' }), failedClick], {}, missing),
  },
  {
    about: 'a dry run',
    printer: executionText,
    path: ['exec'],
    output: { ok: true, dryRun: true, plan: { commandId: 'c1', timeoutMs: 30_000, actionCount: 3, actions } },
  },
  {
    about: 'a valid payload',
    printer: executionText,
    path: ['exec'],
    output: { ok: true, validated: true, execution },
  },
  { about: 'no receipts', printer: receiptsText, output: { executions: [], count: 0 } },
  {
    about: 'no receipts that match',
    printer: receiptsText,
    output: { executions: [], count: 0 },
    flags: { 'skill-run': 'last' },
  },
  {
    about: 'receipts',
    printer: receiptsText,
    output: {
      executions: [
        receipt,
        { ...receipt, host: 'lab-2', result: { ...result, envelope: envelopeOf([failedClick], missing) } },
        { ...receipt, result: { ...result, envelope: envelopeOf([step('a', 'enter_text', { text: CJK }), snapshot]) } },
        { ...receipt, result: { ...result, envelope: envelopeOf([step('a', 'enter_text', { text: HOSTILE })]) } },
        interrupted,
        { ...unsent, result: refused },
        { ...unsent, state: 'waiting', accepted: false, result: undefined, settledAt: undefined },
        { ...receipt, state: 'dispatched', result: undefined, settledAt: undefined },
      ],
      count: 8,
    },
  },
  { about: 'a receipt of a success', printer: receiptText, output: { execution: receipt } },
  {
    about: 'a receipt of a failure',
    printer: receiptText,
    output: {
      execution: {
        ...receipt,
        result: { ...result, envelope: envelopeOf([step('a', 'sleep'), failedClick], missing) },
      },
    },
  },
  {
    about: 'a resumption, which names what its request names',
    printer: executionText,
    path: ['executions', 'resume'],
    args: [ID],
    output: {
      ...result,
      envelope: envelopeOf([step('submit', 'click', { click_type: 'click' }), step('see', 'sleep')]),
      executionId: ID,
      targets: { submit: '“Save”', see: '' },
    },
  },
  { about: 'a receipt in doubt', printer: receiptText, output: { execution: interrupted } },
  {
    about: 'a receipt of a wait that was interrupted',
    printer: receiptText,
    output: { execution: { ...interrupted, doubtfulSteps: [] } },
  },
  {
    about: 'a receipt of a wait between two clicks that was interrupted',
    printer: receiptText,
    output: {
      execution: {
        ...interrupted,
        doubtfulSteps: [],
        actions: [
          { id: 'open', type: 'open_app', title: 'Open com.example' },
          { id: 'look', type: 'wait_for_node', title: 'Wait for “Saved”' },
          { id: 'submit', type: 'click', title: 'Click “Done”' },
          { id: 'see', type: 'snapshot' },
        ],
        steps: [
          done('open', 'open_app'),
          unknown('look', 'wait_for_node'),
          notRun('submit', 'click'),
          notRun('see', 'snapshot'),
        ],
      },
    },
  },
  {
    about: 'a receipt of steps that may have run, and a wait among them',
    printer: receiptText,
    output: {
      execution: {
        ...interrupted,
        doubtfulSteps: ['submit'],
        actions: [
          { id: 'open', type: 'open_app', title: 'Open com.example' },
          { id: 'look', type: 'wait_for_node', title: 'Wait for “Saved”' },
          { id: 'submit', type: 'click', title: 'Click “Done”' },
          { id: 'see', type: 'snapshot' },
          { id: 'home', type: 'press_key', title: 'Press home' },
        ],
        steps: [
          done('open', 'open_app'),
          unknown('look', 'wait_for_node'),
          unknown('submit', 'click'),
          unknown('see', 'snapshot'),
          notRun('home', 'press_key'),
        ],
      },
    },
  },
  {
    about: 'a receipt of a list that the phone is still at work on',
    printer: receiptText,
    output: {
      execution: { ...learning, outcome: 'unknown', runningStep: 'wait', steps: [toldTap, unknownWait, unknownBack] },
    },
  },
  {
    about: 'a receipt of a list that the phone told the end of',
    printer: receiptText,
    output: {
      execution: {
        ...learning,
        outcome: 'done',
        evidence: { source: 'operator', at: NOW - 2_000, outcome: 'done' },
        steps: [toldTap, { ...unknownWait, ...byPhone }, { ...unknownBack, ...byPhone }],
      },
    },
  },
  {
    about: 'a receipt of a list that failed, as the log of the phone told',
    printer: receiptText,
    output: {
      execution: {
        ...learning,
        outcome: 'failed',
        evidence: { source: 'log', at: NOW - 2_000, outcome: 'failed' },
        result: { ...result, envelope: envelopeOf([step('tap', 'click'), missed], missing) },
        steps: [
          toldTap,
          { ...unknownWait, ...byPhone, source: 'log', outcome: 'failed' },
          { ...unknownBack, outcome: 'not_run' },
        ],
      },
    },
  },
  {
    about: 'a receipt of a list that was cut off in a step that only looks',
    printer: receiptText,
    output: {
      execution: {
        ...learning,
        outcome: 'failed',
        evidence: { source: 'progress', at: NOW - 2_000, outcome: 'failed' },
        executedSteps: ['tap'],
        doubtfulSteps: [],
        steps: [toldTap, unknownWait, { ...unknownBack, outcome: 'not_run' }],
      },
    },
  },
  {
    about: 'a receipt of a list about which the phone was asked in vain',
    printer: receiptText,
    output: {
      execution: {
        ...learning,
        outcome: 'unknown',
        undecided:
          'com.svc.operator was asked and has no result of the request any more, and the log of the phone has none',
        doubtfulSteps: ['back'],
        steps: [toldTap, unknownWait, unknownBack],
      },
    },
  },
  {
    about: 'a receipt of one step whose answer came too late',
    printer: receiptText,
    output: {
      execution: {
        ...learning,
        state: 'settled',
        outcome: 'done',
        result: {
          ok: false,
          error: { code: 'RESULT_ENVELOPE_TIMEOUT', message: 'No result envelope arrived in time.' },
        },
        evidence: { source: 'operator', at: NOW - 2_000, outcome: 'done' },
        actions: [learning.actions[2]],
        steps: [{ ...unknownBack, ...byPhone }],
      },
    },
  },
  {
    about: 'a receipt of what was never sent',
    printer: receiptText,
    output: { execution: { ...unsent, result: refused } },
  },
  {
    about: 'a receipt that waits',
    printer: receiptText,
    output: { execution: { ...unsent, state: 'waiting', accepted: false, settledAt: undefined, result: undefined } },
  },
  {
    about: 'a receipt that left the queue',
    printer: receiptText,
    output: { execution: { ...unsent, accepted: false, waitedMs: 4_100, result: undefined } },
  },
  {
    about: 'a receipt that was accepted just now',
    printer: receiptText,
    output: { execution: { ...unsent, state: 'accepted', settledAt: undefined, result: undefined } },
  },
  {
    about: 'a receipt that runs',
    printer: receiptText,
    output: { execution: { ...receipt, state: 'dispatched', settledAt: undefined, result: undefined } },
  },
  {
    about: 'a cancellation',
    printer: cancelText,
    output: {
      execution: {
        ...interrupted,
        state: 'settled',
        settledAt: NOW,
        result: { ok: false, error: { code: 'EXECUTION_CANCELLED', message: 'It was cancelled.' } },
      },
    },
  },
  { about: 'a cancellation that came too late', printer: cancelText, output: { execution: receipt } },
  {
    about: 'a trace',
    printer: traceText,
    output: { exported: true, kind: 'skill-run', id: ID, to: '/home/me/trace.html', bytes: 81_234 },
  },
]
