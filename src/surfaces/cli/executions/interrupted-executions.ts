/** Why an answer is late: the operator app may still be at an execution whose host was killed, and takes one at a time. */
import { isBuiltInOperator } from '../../../contracts/device/operator.ts'
import type { Journal, ReceiptQuery, StoredReceipt } from '../../../runtime/journal/journal.ts'
import { isSettled } from '../../../runtime/journal/receipts.ts'
import { recordedExecution } from '../../../service/executions/recorded.ts'
import type { CommandContext } from '../command.ts'

type JournalReader = Pick<Journal, 'receipts' | 'records' | 'last' | 'body'>

const SEARCHED_MAX = 20

/** The app does not say that it is at work, so all that is known is how long it may be. */
export const interruptedBefore = (
  journal: JournalReader,
  isOurs: (receipt: StoredReceipt) => boolean,
  now: number,
): string | undefined => {
  const newest = (query: ReceiptQuery = {}) => journal.receipts({ ...query, limit: SEARCHED_MAX })
  const ours = newest().find(isOurs)
  if (ours?.dispatchedAt === undefined || isSettled(ours)) return undefined
  const { deviceId, operatorPackage } = ours
  const before = newest({ deviceId }).find(isSettled)
  if (before?.state !== 'interrupted' || before.dispatchedAt === undefined) return undefined
  if (before.operatorPackage !== operatorPackage || isBuiltInOperator(operatorPackage)) return undefined
  const recorded = recordedExecution(journal, before)
  const leftMs = recorded ? before.dispatchedAt + recorded.dispatch.execution.timeoutMs - now : 0
  if (leftMs <= 0) return undefined
  const seconds = Math.ceil(leftMs / 1_000)
  return `Waits for ${deviceId}, which may still be finishing the interrupted execution ${before.executionId}: at most ${seconds} s more.`
}

export const tellInterruptedBefore = async (
  call: CommandContext,
  isOurs: (receipt: StoredReceipt) => boolean,
  isOver: () => boolean,
): Promise<void> => {
  const journal = (await call.services()).journalToRead()
  const note = interruptedBefore(journal, isOurs, call.clock.now())
  if (note !== undefined && !isOver()) call.io.note(note)
}
