/** The lines of a receipt: some clients show a model nothing else. */
import { expect, test } from 'vitest'
import type { Receipt } from '../../../../src/contracts/executions/receipt.ts'
import { receiptLines } from '../../../../src/surfaces/mcp/tools/receipts.ts'
import { receiptOf, resultOf } from '../../../support/runtime/records.ts'

const lost: Receipt = receiptOf('e1', {
  state: 'interrupted',
  dispatchedAt: 2_000,
  settledAt: 3_000,
  result: resultOf('lost'),
})
const tap = { id: 'tap', actionType: 'click', outcome: 'done', source: 'progress', at: 2_100 } as const
const wait = { id: 'wait', actionType: 'sleep', outcome: 'unknown' } as const

test('a list that the phone told the end of', () => {
  const told = { source: 'operator', at: 9_000 } as const
  const steps = [tap, { ...wait, ...told, outcome: 'done' as const }]
  expect(receiptLines({ ...lost, outcome: 'done', evidence: { ...told, outcome: 'done' }, steps })).toEqual([
    'e1 c-e1 on d1: interrupted; it was sent to the device. Outcome: done.',
    'its end is known: told by the phone at 1970-01-01T00:00:09.000Z, 7 s after it was sent',
    'step tap (click): done, recorded at 1970-01-01T00:00:02.100Z as it ended',
    'step wait (sleep): done, told by the phone at 1970-01-01T00:00:09.000Z',
  ])
})

test('a list that still runs, and one that nobody can tell of', () => {
  expect(receiptLines({ ...lost, outcome: 'unknown', runningStep: 'wait', steps: [tap, wait] }).slice(1)).toEqual([
    'd1 is still at work on it, at step wait',
    'step tap (click): done, recorded at 1970-01-01T00:00:02.100Z as it ended',
    'step wait (sleep): running',
  ])
  expect(receiptLines({ ...lost, outcome: 'unknown', undecided: 'the phone is silent', steps: [tap, wait] })).toContain(
    'no result is known: the phone is silent',
  )
})
