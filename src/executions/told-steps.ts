/** Section on receipts: which steps of an execution without an envelope have run, and which may have; as a resumption tells it. */
import type { Receipt } from '../contracts/receipt.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import type { Journal, StoredReceipt } from '../runtime/journal/journal.ts'
import { isSettled } from '../runtime/journal/receipts.ts'
import { proofOf } from './proven.ts'
import { recordedExecution } from './recorded.ts'

type Told = Pick<Receipt, 'executedSteps' | 'doubtfulSteps'>

/** The answer of a cancelled execution comes before its last step is over: later looks tell more. */
export const toldSteps = (journal: () => Journal, receipt: StoredReceipt): Told => {
  if (!isSettled(receipt) || receipt.result?.ok !== false || receipt.dispatchedAt === undefined) return {}
  try {
    const recorded = recordedExecution(journal(), receipt)
    if (!recorded) return {}
    const { proven, doubtful } = proofOf(receipt, recorded)
    return {
      executedSteps: recorded.job.execution.actions.slice(0, proven).map(({ id }) => id),
      doubtfulSteps: doubtful.map(({ id }) => id),
    }
  } catch (error) {
    if (error instanceof JournalError) return {}
    throw error
  }
}
