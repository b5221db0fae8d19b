/** Runs of flows as the runner leaves them: passed, failed, flaky, in doubt, skipped, cancelled, and with hostile names. */
import type {
  FlowAttempt,
  FlowCommandResult,
  FlowError,
  TestFlow,
  TestRun,
} from '../../../../src/contracts/flows/test-run.ts'

export const START = Date.UTC(2026, 4, 4, 12, 0, 0, 420)

/** Control characters, a lone surrogate, a noncharacter, markup, the end of CDATA, right-to-left text and emoji. */
export const HOSTILE = 'Pay \0\u0001\u001b[31m\ud800\ufffe <b>&"\'</b> ]]> \u202e הגדרות 👨‍👩‍👧 ⏰\r\n\tend'

export const ASSERTION: FlowError = {
  code: 'ASSERTION_FAILED',
  message: '"Order confirmed" is not visible.',
  hint: 'Look at the screen of the failure.',
  file: 'flows/pay.yaml',
  line: 6,
  command: '- assertVisible: "Order confirmed"',
}
export const LOST: FlowError = { code: 'DEVICE_LINK_LOST', message: 'The phone went away.' }

export const commandAt = (index: number, more: Partial<FlowCommandResult> = {}): FlowCommandResult => ({
  index,
  depth: 0,
  name: 'tapOn',
  text: `Tap on "Button ${index}"`,
  file: 'flows/pay.yaml',
  line: index + 3,
  verdict: 'passed',
  startedAt: START + index * 1_000,
  endedAt: START + index * 1_000 + 400,
  executionIds: [`execution-${index}`],
  ...more,
})

export const attemptOf = (more: Partial<FlowAttempt> = {}): FlowAttempt => ({
  flowRunId: `flow-run-${more.attempt ?? 1}`,
  attempt: 1,
  deviceId: 'emulator-5554',
  verdict: 'passed',
  startedAt: START,
  endedAt: START + 4_250,
  commands: [commandAt(0, { name: 'launchApp', text: 'Launch com.example.shop' }), commandAt(1), commandAt(2)],
  ...more,
})

export const failedAttempt = (more: Partial<FlowAttempt> = {}): FlowAttempt =>
  attemptOf({
    verdict: 'failed',
    error: ASSERTION,
    files: ['pay/failure.png', 'pay/log.txt'],
    commands: [
      commandAt(0, { name: 'launchApp', text: 'Launch com.example.shop' }),
      commandAt(1, { name: 'runFlow', text: 'Run flows/login.yaml', executionIds: [] }),
      commandAt(2, { depth: 1, file: 'flows/login.yaml', line: 4, verdict: 'ignored', error: LOST }),
      commandAt(3, {
        name: 'assertVisible',
        text: 'Assert that "Order confirmed" is visible',
        line: 6,
        verdict: 'failed',
        error: ASSERTION,
        files: ['pay/difference.png'],
      }),
    ],
    ...more,
  })

export const flowOf = (more: Partial<TestFlow> = {}): TestFlow => ({
  flow: 'flows/pay.yaml',
  name: 'Pay',
  tags: [],
  properties: {},
  verdict: 'passed',
  attempts: [attemptOf()],
  ...more,
})

export const runOf = (flows: readonly TestFlow[], more: Partial<TestRun> = {}): TestRun => ({
  testRunId: '0199f2b4-6c1e-7a51-9d52-4f8a8c5b7e10',
  state: 'ended',
  verdict: 'failed',
  startedAt: START,
  endedAt: START + 65_000,
  folder: '/nowhere/runs/1',
  host: 'ci-7',
  flows: [...flows],
  ...more,
})

export const FLOWS = {
  passed: flowOf({ name: 'Passed', tags: ['smoke', 'pay'], properties: { owner: 'shop' } }),
  failed: flowOf({ name: 'Failed', verdict: 'failed', attempts: [failedAttempt()] }),
  flaky: flowOf({
    name: 'Flaky',
    attempts: [failedAttempt(), attemptOf({ attempt: 2, startedAt: START + 9_000, endedAt: START + 9_900 })],
  }),
  failedTwice: flowOf({
    name: 'Failed twice',
    verdict: 'failed',
    attempts: [attemptOf({ verdict: 'indeterminate', error: LOST }), failedAttempt({ attempt: 2, deviceId: 'R58M' })],
  }),
  indeterminate: flowOf({
    name: 'In doubt',
    verdict: 'indeterminate',
    attempts: [attemptOf({ verdict: 'indeterminate', error: LOST })],
  }),
  skipped: flowOf({ name: 'Skipped', verdict: 'skipped', reason: 'It is for iOS.', attempts: [] }),
  cancelled: flowOf({ name: 'Cancelled', verdict: 'cancelled', attempts: [attemptOf({ verdict: 'cancelled' })] }),
  unfinished: flowOf({
    name: 'Unfinished',
    verdict: null,
    attempts: [{ flowRunId: 'f', attempt: 1, deviceId: 'emulator-5554', verdict: null, startedAt: START }],
  }),
  hostile: flowOf({
    name: HOSTILE,
    verdict: 'failed',
    tags: [HOSTILE],
    properties: { [HOSTILE]: HOSTILE },
    attempts: [failedAttempt({ error: { code: 'E', message: HOSTILE, hint: HOSTILE, command: HOSTILE } })],
  }),
} as const

export const everyOutcome = (): TestRun => runOf(Object.values(FLOWS))

/** The same flows on two phones, each for itself. */
export const shardedRun = (): TestRun =>
  runOf(
    ['emulator-5554', '127.0.0.1:5555'].flatMap(deviceId =>
      ['Pay', 'Login'].map(name => flowOf({ name, deviceId, attempts: [attemptOf({ deviceId })] })),
    ),
  )
