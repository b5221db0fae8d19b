/** Executions of this process, and the receipts where it can only read. */

import { JournalError } from '../runtime/journal/fault.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { eachReceipt } from '../runtime/journal/reading.ts'
import { endedEarly } from '../service/executions/cancel-requests.ts'
import type { Learner } from '../service/executions/evidence/learn.ts'
import { createExecutor, type ExecutorOptions } from '../service/executions/execute.ts'
import { createExecutionPolicy } from '../service/executions/execution-policy.ts'
import { createExecutions } from '../service/executions/executions.ts'
import type { Executions, Receipts } from '../service/executions/service.ts'
import { createWaitingRooms, type WaitingRoomOptions } from '../service/executions/waiting/waiting-room.ts'
import type { Policies } from '../service/policy/policies.ts'

/** Receipts as they were last recorded, where nothing can be written. */
const recordedReceipts = (journal: Journal): Receipts => ({
  receipt: async executionId => journal.receipt(executionId) ?? endedEarly(journal, executionId),
  decided: async receipt => ({ receipt }),
  receipts: async query => eachReceipt(journal, query),
})

interface ExecutionParts
  extends Omit<ExecutorOptions, 'policy' | 'rooms' | 'journal' | 'learner'>,
    Pick<WaitingRoomOptions, 'mayLive'> {
  journal: Journal
  learner: Learner
  policies: Policies
}

export const executionParts = ({ policies, mayLive, ...shared }: ExecutionParts): Executions => {
  const parts = { ...shared, rooms: createWaitingRooms({ ...shared, mayLive }) }
  return createExecutions({ ...parts, executor: createExecutor({ ...parts, policy: createExecutionPolicy(policies) }) })
}

/** A journal that cannot be written can still be read. */
export const receiptsOf = (
  executions: () => Executions,
  { journal, note }: { journal(): Journal; note(text: string): void },
): Receipts => {
  try {
    return executions()
  } catch (error) {
    if (!(error instanceof JournalError) || !['full', 'read-only'].includes(error.reason)) throw error
    const recorded = recordedReceipts(journal())
    note(`the journal cannot be written (${error.reason}): receipts may be out of date`)
    return recorded
  }
}
