/** What a device remembers of executions that ended without an envelope, and what evidence on them changes. */
import { describe, expect, test } from 'vitest'
import { device } from '../../../machines/device/device.ts'
import { doubtsOf, learnedIn, youngDoubts } from '../../../machines/device/device-doubts.ts'
import { EVIDENCE_KEPT_MS } from '../../../src/contracts/limits/limits.ts'
import type { StoredEvent } from '../../../src/contracts/records/journal.ts'
import { given } from '../../support/runtime/given.ts'

type Stamped = StoredEvent & { at: number }

const requested = (executionId = 'e1', at = 1_000): Stamped => ({
  type: 'execution.requested',
  at,
  ...{ executionId, commandId: 'c', taskId: 't', deviceId: 'd1', operatorPackage: 'com.svc.operator' },
  timeoutMs: 30_000,
  acceptUntil: 10_000,
  body: {},
})
const sent = (more: object = {}, executionId = 'e1'): Stamped => ({
  type: 'execution.dispatched',
  at: 1_100,
  executionId,
  segment: 0,
  nonce: 'n0',
  ...more,
})
const interrupted = (executionId = 'e1'): Stamped => ({
  type: 'execution.interrupted',
  at: 2_000,
  executionId,
  dispatched: true,
})
const evidenced = (more: object = {}, executionId = 'e1'): Stamped => ({
  type: 'execution.evidenced',
  at: 3_000,
  executionId,
  source: 'operator',
  steps: [{ step: 0, success: true }],
  ...more,
})
const settled = (more: object): Stamped => ({
  type: 'execution.settled',
  at: 2_000,
  executionId: 'e1',
  ok: false,
  ...more,
})

const doubtsAfter = (...events: Stamped[]) => {
  const last = events.pop() as Stamped
  return doubtsOf(given(device, events).when(last).snapshot)
}

describe('in doubt is', () => {
  test.each([
    ['one whose host died', interrupted()],
    ['one that ended without an envelope', settled({ code: 'RESULT_ENVELOPE_TIMEOUT' })],
    ['one whose driver broke', { type: 'port.failed', at: 2_000, port: 'operator', message: 'broken' }],
  ])('%s', (_, end) => {
    expect(doubtsAfter(requested(), sent(), end)).toEqual([
      {
        executionId: 'e1',
        operatorPackage: 'com.svc.operator',
        segment: 0,
        step: 0,
        nonce: 'n0',
        dispatchedAt: 1_100,
        endedAt: 2_000,
        busyUntil: 31_100,
        known: [],
      },
    ])
  })

  test('one that the host performed itself; the phone cannot be asked for it', () => {
    const doubts = doubtsAfter(requested(), sent({ nonce: undefined, stepped: true }), interrupted())
    expect(doubts).toMatchObject([{ executionId: 'e1', nonce: null }])
    expect(youngDoubts({ doubts }, 2_000)).toEqual([])
  })

  test('the newest segment of it', () => {
    const doubts = doubtsAfter(
      requested(),
      sent(),
      sent({ at: 1_500, segment: 2, step: 3, nonce: 'n2' }),
      interrupted(),
    )
    expect(doubts).toMatchObject([{ segment: 2, step: 3, nonce: 'n2', dispatchedAt: 1_100 }])
  })

  test.each([
    ['one that was not sent', [requested(), { ...interrupted(), dispatched: false }]],
    ['one with an envelope', [requested(), sent(), settled({ ok: true })]],
    ['one that the device refused', [requested(), sent(), settled({ dispatched: false })]],
    ['one of which all steps are known', [requested(), sent(), settled({ inDoubt: false })]],
  ])('not %s', (_, events) => expect(doubtsAfter(...(events as Stamped[]))).toEqual([]))

  test('a cancelled one, once the device is free, unless its envelope came in the end', () => {
    const cancelled: Stamped = { type: 'execution.cancelled', at: 1_500, executionId: 'e1' }
    expect(doubtsAfter(requested(), sent(), cancelled)).toEqual([])
    expect(doubtsAfter(requested(), sent(), cancelled, { type: 'deadline.passed', at: 40_000 })).toHaveLength(1)
    expect(doubtsAfter(requested(), sent(), cancelled, settled({ ok: true }))).toEqual([])
  })

  test('of many, the newest sixteen; and none that is older than phones keep results', () => {
    const names = Array.from({ length: 20 }, (_, index) => `e${index}`)
    const events = names.flatMap(name => [requested(name), sent({}, name), interrupted(name)])
    const doubts = doubtsAfter(...events)
    expect(doubts.map(({ executionId }) => executionId)).toEqual(names.slice(4))
    expect(youngDoubts({ doubts }, 2_000 + EVIDENCE_KEPT_MS - 1)).toHaveLength(16)
    expect(youngDoubts({ doubts }, 2_000 + EVIDENCE_KEPT_MS)).toEqual([])
  })
})

describe('evidence', () => {
  const doubt = [requested(), sent(), interrupted()]
  const learned = (before: Stamped[], event: Stamped) => {
    const [last, ...rest] = [...before].reverse() as [Stamped, ...Stamped[]]
    const { snapshot } = given(device, rest.reverse()).when(last)
    return learnedIn({ before: snapshot, event, after: snapshot })
  }

  test('on steps is remembered, and does not end the doubt', () => {
    expect(doubtsAfter(...doubt, evidenced())).toMatchObject([{ executionId: 'e1', known: [0] }])
    expect(learned(doubt, evidenced())).toEqual({ executionId: 'e1', evidence: { source: 'operator', at: 3_000 } })
  })

  test('that decides the whole ends it', () => {
    expect(doubtsAfter(...doubt, evidenced({ outcome: 'done' }))).toEqual([])
    expect(learned(doubt, evidenced({ outcome: 'done' }))?.evidence).toEqual({
      source: 'operator',
      at: 3_000,
      outcome: 'done',
    })
  })

  test.each([
    ['that says nothing new', [...doubt, evidenced()], evidenced({ at: 4_000 })],
    [
      'that comes after the whole was known',
      [...doubt, evidenced({ outcome: 'done' })],
      evidenced({ outcome: 'failed' }),
    ],
    [
      'on an execution with an envelope',
      [requested(), sent(), settled({ ok: true })],
      evidenced({ outcome: 'failed' }),
    ],
    [
      'on one that was not sent',
      [requested(), { ...interrupted(), dispatched: false }],
      evidenced({ outcome: 'done' }),
    ],
    ['on one that nobody knows', doubt, evidenced({ outcome: 'done' }, 'e9')],
  ])('%s changes nothing', (_, before, event) => {
    expect(learned(before as Stamped[], event)).toBeUndefined()
    expect(doubtsAfter(...(before as Stamped[]), event)).toEqual(doubtsAfter(...(before as Stamped[])))
  })

  test('of a step that ends while the execution runs moves nothing', () => {
    const then = given(device, [requested(), sent()]).when(evidenced({ source: 'progress' }))
    expect(then.state).toBe('running.dispatched')
    expect(then.emitted).toEqual([])
    expect(learned([requested(), sent()], evidenced())).toBeUndefined()
  })

  test('on an earlier execution is taken while another one runs', () => {
    const busy = [...doubt, requested('e2', 2_500)]
    expect(doubtsAfter(...busy, evidenced({ outcome: 'done' }))).toEqual([])
    expect(learned(busy, evidenced({ outcome: 'done' }))?.executionId).toBe('e1')
  })

  test('is also the envelope that a cancelled execution brings in the end', () => {
    const draining = [requested(), sent(), { type: 'execution.cancelled', at: 1_500, executionId: 'e1' }]
    const envelope = { ok: true, envelope: { status: 'failed' } }
    expect(learned(draining, settled({ ok: true, body: envelope }))).toEqual({
      executionId: 'e1',
      evidence: { source: 'operator', at: 2_000, outcome: 'failed' },
    })
    expect(learned(draining, settled({ ok: false, body: { ok: false } }))).toBeUndefined()
  })
})
