/** The note about a phone that may still be at an execution whose host was killed. */
import { describe, expect, test } from 'vitest'
import type { Journal, StoredReceipt } from '../../../../src/runtime/journal/journal.ts'
import { interruptedBefore } from '../../../../src/surfaces/cli/executions/interrupted-executions.ts'

const NOW = 100_000

const receipt = (executionId: string, more: Partial<StoredReceipt> = {}): StoredReceipt => ({
  executionId,
  commandId: `c-${executionId}`,
  taskId: 't',
  deviceId: 'd1',
  operatorPackage: 'com.svc.operator',
  state: 'dispatched',
  acceptedAt: NOW - 2_000,
  dispatchedAt: NOW - 2_000,
  ...more,
})

const killed = (more: Partial<StoredReceipt> = {}) =>
  receipt('killed', { state: 'interrupted', dispatchedAt: NOW - 5_000, settledAt: NOW - 3_000, ...more })

/** With these receipts, the newest first; the killed one asked for a wait of 20 s. */
const journalOf = (...receipts: StoredReceipt[]): Journal =>
  ({
    receipts: ({ deviceId }: { deviceId?: string } = {}) =>
      receipts.filter(each => deviceId === undefined || each.deviceId === deviceId),
    last: () => ({ n: 0 }),
    records: () => [
      { n: 0, digest: 'x', from: 'idle', to: 'running', event: { type: 'execution.requested', executionId: 'killed' } },
    ],
    body: () => ({ execution: { timeoutMs: 20_000, actions: [] } }),
  }) as unknown as Journal

const noteIn = (journal: Journal) => interruptedBefore(journal, ({ executionId }) => executionId === 'ours', NOW)

test('names the execution, and how long the phone may be at it', () => {
  expect(noteIn(journalOf(receipt('ours'), killed()))).toBe(
    'Waits for d1, which may still be finishing the interrupted execution killed: at most 15 s more.',
  )
})

describe('nothing is said', () => {
  test.each([
    ['where no execution of ours is under way', [killed()]],
    ['before anything was sent', [receipt('ours', { dispatchedAt: undefined } as object), killed()]],
    ['once its time has passed', [receipt('ours'), killed({ dispatchedAt: NOW - 21_000 })]],
    ['of one that was never sent', [receipt('ours'), killed({ dispatchedAt: undefined } as object)]],
    ['of one that another one followed', [receipt('ours'), receipt('later', { state: 'settled' }), killed()]],
    ['of another phone', [receipt('ours'), killed({ deviceId: 'd2' })]],
    [
      'where the host performs the steps itself',
      [receipt('ours', { operatorPackage: 'svc.shell' }), killed({ operatorPackage: 'svc.shell' })],
    ],
  ])('%s', (_, receipts) => {
    expect(noteIn(journalOf(...receipts))).toBeUndefined()
  })
})
