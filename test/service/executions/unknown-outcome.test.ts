/** A failure after the acceptance says whether the request was sent, as far as the journal knows, and where to ask. */
import { expect, test } from 'vitest'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import { unanswered } from '../../../src/service/executions/refusals.ts'
import { receiptOf } from '../../support/runtime/records.ts'

const accepted = receiptOf('e1', { state: 'accepted' })
const { dispatchedAt: _, ...unsent } = accepted
const broken = () => {
  throw new JournalError('busy', 'The journal is busy')
}
const lost = { kind: 'broken' as const, error: new JournalError('busy', 'The journal is busy') }
const expired = { kind: 'expired' as const }

test.each([
  ['no answer, on record as sent', expired, () => ({ ...unsent, state: 'dispatched' as const, dispatchedAt: 2 }), true],
  ['no answer, not sent until now', expired, () => unsent, 'unknown'],
  ['no answer, ended unsent', expired, () => ({ ...unsent, state: 'interrupted' as const }), false],
  ['no answer, not on record', expired, () => undefined, 'unknown'],
  ['no answer, the journal cannot be read', expired, broken, 'unknown'],
  ['a journal that failed and cannot be read', lost, broken, 'unknown'],
  ['a journal that failed after it was sent', lost, () => ({ ...unsent, dispatchedAt: 2 }), true],
])('%s', (_, asked, receipt, dispatched) => {
  const error = unanswered(asked, 'e1', { receipt })
  expect(error.details).toMatchObject({ executionId: 'e1', dispatched })
  expect(error.hint).toContain('`GET /executions/e1`')
  expect(error.message).toContain(dispatched === false ? 'nothing was sent' : 'it may have executed')
})
