/** Executions of this process, and the receipts where it can only read. */
import { createExecutor, type ExecutorOptions } from '../executions/execute.ts'
import { createExecutionPolicy } from '../executions/execution-policy.ts'
import { createExecutions } from '../executions/executions.ts'
import { recordedReceipts } from '../executions/receipts.ts'
import type { Executions, Receipts } from '../executions/service.ts'
import { createWaitingRooms, type WaitingRoomOptions } from '../executions/waiting-room.ts'
import type { Policies } from '../policy/policies.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import type { Journal } from '../runtime/journal/journal.ts'

interface ExecutionParts
  extends Omit<ExecutorOptions, 'policy' | 'rooms' | 'journal'>,
    Pick<WaitingRoomOptions, 'mayLive'> {
  journal: Journal
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
