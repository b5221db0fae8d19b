/** A home whose journal has executions of processes that were killed: what they had sent is on record, and no answer is. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Action } from '../../../src/contracts/executions/action.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { journalPath } from '../../../src/runtime/home.ts'
import type { Journal, StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { receiptOf, recordOf } from '../runtime/records.ts'

export interface CrashedExecution extends Partial<Omit<StoredReceipt, 'actions'>> {
  executionId: string
  actions: readonly Action[]
}

const LOST = {
  ok: false,
  error: {
    code: 'EXECUTION_INTERRUPTED',
    message: 'The host ended before the result arrived; it may have executed.',
    details: { dispatched: true },
  },
} as const

/** An hour ago, unless the receipt says otherwise. */
export const recordCrash = async (journal: Journal, { actions, ...more }: CrashedExecution): Promise<StoredReceipt> => {
  const acceptedAt = more.acceptedAt ?? Date.now() - 3_600_000
  const [dispatchedAt, settledAt] = [acceptedAt + 10, acceptedAt + 1_000]
  const receipt = receiptOf(more.executionId, {
    ...{ acceptedAt, dispatchedAt, settledAt, operatorPackage: 'com.svc.operator' },
    ...{ state: 'interrupted', result: LOST },
    ...more,
  })
  const { executionId, commandId, taskId, deviceId, operatorPackage } = receipt
  const actor = `device:${deviceId}`
  const execution = { commandId, taskId, timeoutMs: 30_000, actions }
  await journal.append(
    recordOf(actor, 0, {
      ...{ at: acceptedAt, to: 'running.accepted', body: { execution, deviceId, phone: deviceId, operatorPackage } },
      event: { type: 'execution.requested', executionId, commandId, taskId, deviceId, at: acceptedAt },
    }),
  )
  await journal.append(
    recordOf(actor, 1, {
      ...{ at: dispatchedAt, from: 'running.accepted', to: 'running.dispatched' },
      event: { type: 'execution.dispatched', executionId, segment: 0, nonce: '1'.repeat(32), at: dispatchedAt },
    }),
  )
  await journal.append(
    recordOf(actor, 2, {
      ...{ at: settledAt, from: 'running.dispatched' },
      event: { type: 'execution.interrupted', executionId, dispatched: true, at: settledAt },
    }),
    { receipt },
  )
  return receipt
}

/** Each on a device of its own, which nobody can reach; those that are young may still be at work. */
export const recordCrashes = async (svcHome: string, crashes: readonly CrashedExecution[]): Promise<void> => {
  const path = journalPath(svcHome)
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
  const clock = systemClock()
  const journal = openJournal({ path, alive: () => true, clock })
  try {
    for (const [index, crash] of crashes.entries()) await recordCrash(journal, { deviceId: `lost-${index}`, ...crash })
  } finally {
    journal.close()
  }
}
