/** The look at the screen on which a step failed: within its time, and without changing what the execution came to. */
import { describe, expect, test } from 'vitest'
import type { OperatorRequest } from '../../../../src/contracts/device/operator.ts'
import type { Action } from '../../../../src/contracts/executions/action.ts'
import { NAME_FIELD_HINT } from '../../../../src/contracts/failures/step-hints.ts'
import type { OperatorHost } from '../../../support/device/operator-host.ts'
import { errorOf, GRACE_MS, hostWith } from '../../../support/executions/failing-host.ts'
import { settled } from '../../../support/settled.ts'

const PHONE = 'device:d1'
const TIMEOUT_MS = 10_000
const tap: Action = { id: 'tap', type: 'click', params: { matcher: { textEquals: 'Sned' } } } as Action

const XML =
  '<hierarchy rotation="0"><node class="android.widget.Button" text="Send" package="com.a.b" clickable="true" bounds="[0,0][100,100]" /></hierarchy>'

const isLook = ({ actions }: OperatorRequest) => actions[0]?.type === 'snapshot'

const failedStep = {
  status: 'failed' as const,
  stepResults: [
    { id: 'tap', actionType: 'click', success: false, data: { error: 'NODE_NOT_FOUND', message: 'no such node' } },
  ],
  error: null,
  errorCode: 'NODE_NOT_FOUND',
}

interface Script {
  code?: string
  /** When the step fails. */
  failsAfterMs?: number
  /** What the operator does with the look; it is silent unless told. */
  action?: Action
  look?: (request: OperatorRequest, host: OperatorHost) => void
}

const started = (
  { code = 'NODE_NOT_FOUND', failsAfterMs = 0, look = () => {}, action = tap }: Script = {},
  more: object = {},
) => {
  const host = hostWith('socket')
  host.device.onShell = command =>
    command === 'dumpsys window'
      ? { exitCode: 0, stdout: '  mCurrentFocus=Window{1 u0 com.a.b/com.a.b.Main}\n', stderr: '' }
      : undefined
  host.device.behave = (request, device) => {
    if (isLook(request)) return look(request, host)
    host.clock.at(host.clock.now() + failsAfterMs, () => device.answer(request, { ...failedStep, errorCode: code }))
  }
  const run = host.start('e1', [action], { timeoutMs: TIMEOUT_MS, phone: PHONE, ...more })
  const envelope = () => (run.outcome?.result.ok ? run.outcome.result.envelope : undefined)
  const looks = () => host.device.requests.filter(isLook).length
  return { host, run, envelope, looks }
}

const shownIn =
  (front: string) =>
  (request: OperatorRequest, { device }: OperatorHost) =>
    device.answer(request, {
      stepResults: request.actions.map(({ id }) => ({
        id,
        actionType: 'snapshot',
        success: true,
        data: { text: XML.replace('com.a.b', front), foreground_package: front },
      })),
    })
const shown = shownIn('com.a.b')

describe('a look that is answered', () => {
  test('is a segment of its own, and its screen is remembered for the refs', async () => {
    const { host, envelope } = started({ look: shown })
    await host.later(1_000)
    expect(envelope()).toMatchObject({
      status: 'failed',
      errorCode: 'NODE_NOT_FOUND',
      stepResults: [{ id: 'tap', success: false }],
      error: {
        details: { foreground: 'com.a.b', nearest: [{ ref: '@1.1', role: 'button', label: 'Send' }] },
        hint: expect.stringContaining('"Send" (@1.1)'),
      },
    })
    expect(host.segments()).toEqual([0, 1])
    expect(host.events().filter(({ type }) => type === 'execution.dispatched')).toMatchObject([{}, { step: 0 }])
    expect(host.journal.records({ actor: 'screen:d1' })).toHaveLength(1)
  })

  test('says how to name a field whose text has changed since', async () => {
    const field =
      '<hierarchy rotation="0"><node class="android.widget.EditText" text="Milk" package="com.a.b" bounds="[0,0][100,100]" /></hierarchy>'
    const type = { id: 'tap', type: 'enter_text', params: { text: 'Eggs', matcher: { textEquals: 'Title' } } } as Action
    const look = (request: OperatorRequest, { device }: OperatorHost) =>
      device.answer(request, {
        stepResults: request.actions.map(({ id }) => ({
          id,
          actionType: 'snapshot',
          success: true,
          data: { text: field, foreground_package: 'com.a.b' },
        })),
      })
    const { host, envelope } = started({ look, action: type })
    await host.later(1_000)
    expect(envelope()?.error?.hint).toBe(`The application in front is com.a.b. ${NAME_FIELD_HINT}`)
    expect(envelope()?.error?.details).toEqual({
      ...{ foreground: 'com.a.b', nearest: [], screen: 1 },
      text: expect.stringContaining('@1.1 textfield "Milk"'),
    })
  })

  test.each([
    ['from', { from: { matcher: { textEquals: 'Sned' } }, to: { matcher: { textEquals: 'Map' } } }],
    ['to', { from: { coordinate: { x: 1, y: 1 } }, to: { matcher: { textEquals: 'Sned' } } }],
  ])('names the nearest to the end of a drag that is not there: %s', async (_, params) => {
    const drag = { id: 'tap', type: 'drag', params }
    const { host, envelope } = started({ look: shown, action: drag as Action })
    await host.later(1_000)
    expect(envelope()?.error).toMatchObject({
      details: { nearest: [{ ref: '@1.1', label: 'Send' }] },
      hint: expect.stringContaining('"Send" (@1.1)'),
    })
  })

  test('says how to close a shade that lies over the application', async () => {
    const { host, envelope } = started({ look: shownIn('com.android.systemui') })
    await host.later(1_000)
    expect(envelope()?.error?.hint).toMatch(/^The system UI is in front, .*`collapse_shade`, .* Nearest to .*"Send"/)
  })

  test('has no say where the policy hides the screen', async () => {
    const { host, envelope, looks } = started({ look: shown }, { isScreenHidden: true })
    await host.later(1_000)
    expect(envelope()?.error?.details).toEqual({ foreground: 'com.a.b' })
    expect(looks()).toBe(0)
  })
})

test('a look that is not answered ends after two seconds and takes nothing from the failure', async () => {
  const { host, envelope, looks } = started()
  await host.later(1_800)
  expect({ looks: looks(), answered: envelope() !== undefined }).toEqual({ looks: 1, answered: false })
  await host.later(400)
  expect(envelope()).toMatchObject({ status: 'failed', errorCode: 'NODE_NOT_FOUND' })
  expect(envelope()?.error).not.toHaveProperty('details.nearest')
  expect(host.state()).toBe('idle')
})

test('a look that comes too late is not recorded, and nothing follows it', async () => {
  let late: OperatorRequest | undefined
  const { host, envelope } = started({
    look: request => {
      late = request
    },
  })
  await host.later(2_400)
  expect(envelope()).toBeDefined()
  if (late) shown(late, host)
  await host.later(5_000)
  expect(host.segments()).toEqual([0, 1])
  expect(host.journal.records({ actor: 'screen:d1' })).toEqual([])
})

test('a cancellation ends the look at once, and the phone is free', async () => {
  const { host, run, looks } = started()
  await host.later(400)
  expect(looks()).toBe(1)
  host.cancel('e1')
  await settled()
  expect(errorOf(run)).toMatchObject({ code: 'EXECUTION_CANCELLED', details: { dispatched: true } })
  expect(host.state()).toBe('idle')
  await host.later(5_000)
  expect(looks()).toBe(1)
})

describe('near the time of the answer', () => {
  test('the look ends before it', async () => {
    const failsAfterMs = TIMEOUT_MS + GRACE_MS - 1_500
    const { host, envelope, looks } = started({ failsAfterMs })
    await host.later(TIMEOUT_MS + GRACE_MS - 400)
    expect(looks()).toBe(1)
    expect(envelope()).toMatchObject({ status: 'failed', errorCode: 'NODE_NOT_FOUND' })
  })

  test('there is none', async () => {
    const failsAfterMs = TIMEOUT_MS + GRACE_MS - 600
    const { host, envelope, looks } = started({ failsAfterMs })
    await host.later(TIMEOUT_MS + GRACE_MS - 400)
    expect(looks()).toBe(0)
    expect(envelope()).toMatchObject({ status: 'failed', errorCode: 'NODE_NOT_FOUND' })
  })
})

test('a failure of another kind is answered without a look', async () => {
  const { host, envelope, looks } = started({ look: shown, code: 'NODE_NOT_CLICKABLE' })
  await host.later(400)
  expect(envelope()).toMatchObject({ status: 'failed', errorCode: 'NODE_NOT_CLICKABLE' })
  expect(looks()).toBe(0)
})
