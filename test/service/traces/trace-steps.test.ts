/** The steps of a trace, where no envelope tells them. */
import { describe, expect, test } from 'vitest'
import type { JournalRecord } from '../../../src/contracts/records/journal.ts'
import type { StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { timelineOf } from '../../../src/service/traces/trace-steps.ts'
import { actionsOf, BACK, NAP, recordedOf } from '../../support/executions/recorded-execution.ts'
import { receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'

const { execution } = recordedOf(actionsOf(BACK, NAP, BACK)).dispatch
const event = { type: 'execution.dispatched', executionId: 'e1', segment: 0, step: 0 }
const records = [recordOf('device:d1', 0, { event })] as unknown as JournalRecord[]
const lost: StoredReceipt = receiptOf('e1', {
  ...{ state: 'interrupted', dispatchedAt: 2, settledAt: 3 },
  result: resultOf('lost'),
})
const known = (...outcomes: ('done' | 'failed' | 'not_run' | 'unknown')[]) =>
  outcomes.map((outcome, index) => ({ id: `s${index}`, actionType: 'press_key', outcome }))

const states = (...parts: Parameters<typeof timelineOf>) => timelineOf(...parts).map(({ state }) => state)

test('are known as the receipt knows them', () => {
  expect(states(lost, { records, execution, known: known('done', 'unknown', 'unknown') })).toEqual([
    'succeeded',
    'unknown',
    'unknown',
  ])
  const evidence = { source: 'operator', at: 9, outcome: 'failed' } as const
  expect(states({ ...lost, evidence }, { records, execution, known: known('done', 'failed', 'not_run') })).toEqual([
    'succeeded',
    'failed',
    'not-run',
  ])
})

describe('times', () => {
  const at = (n: number, type: string, ms: number, more: object = {}) =>
    recordOf('device:d1', n, { at: ms, event: { type, executionId: 'e1', ...more } }) as unknown as JournalRecord
  const sent = (n: number, ms: number, more: object) => at(n, 'execution.dispatched', ms, more)
  const SENT = 1_000
  const FOUND = 6_000
  /** Ten seconds after the process was found to be gone. */
  const TOLD = FOUND + 10_000
  const evidence = { source: 'operator', at: TOLD, outcome: 'done' } as const
  const interrupted = { ...lost, dispatchedAt: SENT, settledAt: FOUND }
  const byPhone = { source: 'operator', at: TOLD } as const

  test('of what was told after a crash are neither those of the crash nor those of the answer', () => {
    const crashed = [sent(0, SENT, { segment: 0 }), at(1, 'execution.interrupted', FOUND, { dispatched: true })]
    const [first, second] = known('done', 'done')
    const steps = [
      { ...first, source: 'progress', at: 1_040 },
      { ...second, ...byPhone },
      { ...second, ...byPhone },
    ]
    const timeline = timelineOf(
      { ...interrupted, evidence },
      { records: crashed, execution, known: steps as ReturnType<typeof known> },
    )
    expect(
      timeline.map(({ startedAt, endedAt, durationMs, source, knownAt }) => [
        ...[startedAt, endedAt, durationMs, source, knownAt],
      ]),
    ).toEqual([
      [SENT, 1_040, undefined, 'progress', 1_040],
      [SENT, undefined, undefined, 'operator', TOLD],
      [SENT, undefined, undefined, 'operator', TOLD],
    ])
  })

  test('end for nobody where the list was answered without a result, and a step that did not run has none', () => {
    const answered = [sent(0, SENT, { segment: 0 }), at(1, 'execution.settled', FOUND, { ok: false })]
    const steps = known('done', 'unknown', 'not_run')
    const timeline = timelineOf({ ...interrupted, state: 'settled' }, { records: answered, execution, known: steps })
    expect(timeline.map(({ state, startedAt, endedAt }) => [state, startedAt, endedAt])).toEqual([
      ['succeeded', SENT, undefined],
      ['unknown', SENT, undefined],
      ['not-run', undefined, undefined],
    ])
  })

  test('of a step are those of all looks and gestures that it needed', () => {
    const parts = [
      sent(0, 1_000, { segment: 0, part: true, unbegun: true }),
      sent(1, 1_100, { segment: 1, step: 0, part: true }),
      sent(2, 1_200, { segment: 2, step: 1, count: 1 }),
      sent(3, 1_300, { segment: 3, step: 2 }),
      at(4, 'execution.settled', 1_400, { ok: true }),
    ]
    const timeline = timelineOf(interrupted, { records: parts, execution })
    expect(timeline.map(({ segment, startedAt, endedAt }) => [segment, startedAt, endedAt])).toEqual([
      [0, 1_000, 1_200],
      [2, 1_200, 1_300],
      [3, 1_300, 1_400],
    ])
  })
})
