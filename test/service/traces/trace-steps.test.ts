/** The steps of a trace, where no envelope tells them. */
import { expect, test } from 'vitest'
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
