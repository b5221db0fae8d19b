/** Records and receipts as small as a test can have them. */
import type { NewRecord, StoredReceipt } from '../../../src/runtime/journal/journal.ts'

export const recordOf = (actor: string, n: number, more: Partial<NewRecord> = {}): NewRecord => ({
  actor,
  n,
  machine: 'device',
  version: 1,
  at: 1_000 + n,
  event: { type: 'thing.happened', n },
  from: 'idle',
  to: 'idle',
  tags: [],
  ...more,
})

export const receiptOf = (executionId: string, more: Partial<StoredReceipt> = {}): StoredReceipt => ({
  executionId,
  commandId: `c-${executionId}`,
  taskId: 't1',
  deviceId: 'd1',
  state: 'accepted',
  acceptedAt: 1_000,
  ...more,
})

/** What a failed execution answers; the message makes it as large as is wanted. */
export const resultOf = (message: string): NonNullable<StoredReceipt['result']> => ({
  ok: false,
  error: { code: 'RESULT_ENVELOPE_TIMEOUT', message },
})

/** A request for the key `k`. */
export const leaseOf = (pid: number) => ({
  key: 'k',
  holder: { pid, started: `s${pid}`, instance: `i${pid}` },
  since: 1,
  note: {},
})
