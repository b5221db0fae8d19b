import { describe, expect, test } from 'vitest'
import { device } from '../../../machines/device/device.ts'
import { receiptOf } from '../../../machines/device/device-answers.ts'
import { given } from '../../support/runtime/given.ts'

const requested = {
  type: 'execution.requested',
  at: 100,
  executionId: 'e1',
  commandId: 'c1',
  taskId: 't1',
  deviceId: 'd1',
  timeoutMs: 30_000,
  acceptUntil: 10_100,
  body: { big: true },
}
const dispatched = { type: 'execution.dispatched', at: 200, executionId: 'e1', segment: 0 }
const result = { ok: true, envelope: { status: 'success' } }
const settled = { type: 'execution.settled', at: 300, executionId: 'e1', ok: true, body: result }
const cancelled = { type: 'execution.cancelled', at: 250, executionId: 'e1' }
const deadline = { type: 'deadline.passed', at: 35_201 }

describe('one execution at a time', () => {
  test('an idle device takes it, keeping no payload', () => {
    const then = given(device, []).when(requested)
    expect(then.state).toBe('running.accepted')
    expect(then.emitted).toEqual([{ type: 'execution.accepted', executionId: 'e1' }])
    expect(then.ports.sort()).toEqual(['accept-deadline', 'operator'])
    expect(JSON.stringify(then.context)).not.toContain('big')
  })

  test.each([
    ['accepted', [requested]],
    ['dispatched', [requested, dispatched]],
    ['overdue', [requested, dispatched, deadline]],
    ['draining', [requested, dispatched, cancelled]],
  ])('a busy one (%s) refuses a second, and says who holds it, even under the same commandId', (state, events) => {
    const then = given(device, events).when({ ...requested, executionId: 'e2', at: 260 })
    expect(then.state).toBe(`running.${state}`)
    expect(then.emitted).toMatchObject([
      { type: 'execution.refused', executionId: 'e2', holder: { executionId: 'e1', commandId: 'c1', acceptedAt: 100 } },
    ])
  })

  test('another execution’s settling does not free it', () => {
    const then = given(device, [requested, dispatched]).when({ ...settled, executionId: 'e0' })
    expect(then.state).toBe('running.dispatched')
    expect(then.emitted).toEqual([])
  })
})

describe('answers', () => {
  test('the envelope is passed on as it is', () => {
    const then = given(device, [requested, dispatched]).when(settled)
    expect(then.state).toBe('idle')
    expect(then.emitted).toEqual([
      { type: 'execution.answered', executionId: 'e1', by: 'execution.settled', result, dispatched: true },
    ])
    expect(then.context).toMatchObject({ current: null })
    expect(then.ports).toEqual([])
  })

  test.each([
    ['cancelled before dispatch', [requested], cancelled, 'idle', 'EXECUTION_CANCELLED', false],
    ['cancelled after dispatch', [requested, dispatched], cancelled, 'running.draining', 'EXECUTION_CANCELLED', true],
    ['a link that never opens', [requested], deadline, 'idle', 'DEVICE_LINK_LOST', false],
    [
      'no envelope and a silent port',
      [requested, dispatched, deadline],
      { ...deadline, at: 37_201 },
      'idle',
      'RESULT_ENVELOPE_TIMEOUT',
      true,
    ],
    [
      'host died before dispatch',
      [requested],
      { type: 'execution.interrupted', at: 400, executionId: 'e1', dispatched: false },
      'idle',
      'EXECUTION_INTERRUPTED',
      false,
    ],
    [
      'host died after dispatch',
      [requested, dispatched],
      { type: 'execution.interrupted', at: 400, executionId: 'e1', dispatched: true },
      'idle',
      'EXECUTION_INTERRUPTED',
      true,
    ],
    [
      'a broken driver',
      [requested, dispatched],
      { type: 'port.failed', at: 400, port: 'operator', message: 'boom' },
      'idle',
      'INTERNAL_ERROR',
      true,
    ],
  ])('%s', (_name, events, event, state, code, wasDispatched) => {
    const then = given(device, events).when(event)
    expect(then.state).toBe(state)
    expect(then.emitted).toMatchObject([
      {
        type: 'execution.answered',
        executionId: 'e1',
        dispatched: wasDispatched,
        result: { ok: false, error: { code, details: { executionId: 'e1', dispatched: wasDispatched } } },
      },
    ])
  })

  test('the port is told that the wait is over, and may still answer', () => {
    const overdue = given(device, [requested, dispatched]).when(deadline)
    expect(overdue.state).toBe('running.overdue')
    expect(overdue.emitted).toEqual([])
    expect(overdue.sent).toBe(1)
    const late = { ok: false, error: { code: 'RESULT_ENVELOPE_MALFORMED', message: 'x' } }
    const then = given(device, [requested, dispatched, deadline]).when({ ...settled, ok: false, body: late })
    expect(then.state).toBe('idle')
    expect(then.emitted).toMatchObject([{ result: late }])
  })

  test('a cancelled execution keeps its owner until the device is done, and is answered only once', () => {
    const draining = [requested, dispatched, cancelled]
    expect(given(device, draining).when(settled)).toMatchObject({ state: 'idle', emitted: [] })
    expect(given(device, draining).when(deadline)).toMatchObject({ state: 'idle', emitted: [] })
    expect(given(device, draining).when(cancelled)).toMatchObject({ state: 'running.draining', emitted: [] })
    expect(given(device, [requested, dispatched]).when(cancelled).snapshot.hasTag('in-flight')).toBe(true)
  })

  test.each([
    ['cancelled', cancelled],
    ['overdue', deadline],
  ])('nothing further is sent once %s: the port is told again', (_name, event) => {
    const then = given(device, [requested, dispatched, event]).when({ ...dispatched, segment: 1, at: 36_000 })
    expect(then.sent).toBe(1)
  })
})

describe('receipts', () => {
  const receipts = (events: readonly { type: string; at: number }[]) => {
    let before = given(device, []).when({ type: 'deadline.passed', at: 0 }).snapshot
    return events.map((event, index) => {
      const after = given(device, events.slice(0, index)).when(event).snapshot
      const receipt = receiptOf({ before, event, after })
      before = after
      return receipt
    })
  }
  const base = { executionId: 'e1', commandId: 'c1', taskId: 't1', deviceId: 'd1', acceptedAt: 100 }

  test('accepted, dispatched, settled', () => {
    expect(receipts([requested, dispatched, { ...dispatched, segment: 1 }, settled])).toEqual([
      { ...base, state: 'accepted' },
      { ...base, state: 'dispatched', dispatchedAt: 200 },
      undefined,
      { ...base, state: 'settled', dispatchedAt: 200, settledAt: 300, result },
    ])
  })

  test('a refusal before dispatch settles without dispatchedAt', () => {
    const receipt = receipts([requested, settled])[1]
    expect(receipt).toMatchObject({ state: 'settled', settledAt: 300 })
    expect(receipt).not.toHaveProperty('dispatchedAt')
  })

  test('a request that the device refused was not dispatched, though it was recorded before it left', () => {
    const refused = { ...settled, ok: false, code: 'OPERATOR_NOT_INSTALLED', dispatched: false }
    expect(receipts([requested, dispatched, refused])[2]).not.toHaveProperty('dispatchedAt')
    expect(given(device, [requested, dispatched]).when(refused).emitted).toMatchObject([{ dispatched: false }])
  })

  test('a late answer does not change what a cancelled execution was answered', () => {
    const [, , cancel, late] = receipts([requested, dispatched, cancelled, settled])
    expect(cancel).toMatchObject({ state: 'settled', result: { error: { code: 'EXECUTION_CANCELLED' } } })
    expect(late).toBeUndefined()
  })

  test('a refused request opens none and touches none', () => {
    expect(receipts([requested, { ...requested, executionId: 'e2' }])[1]).toBeUndefined()
  })

  test('an interruption is a state of its own, and names the run that asked', () => {
    const interrupted = { type: 'execution.interrupted', at: 9, executionId: 'e1', dispatched: true }
    expect(
      receipts([{ ...requested, skillRunId: 'r1' } as typeof requested, dispatched, interrupted])[2],
    ).toMatchObject({
      state: 'interrupted',
      skillRunId: 'r1',
      result: { error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } },
    })
  })
})
