/** Finds the records of a device that belong to one execution, and the execution's request. */
import type { Execution } from '../contracts/execution.ts'
import type { JournalRecord } from '../contracts/journal.ts'
import { TRACE_MAX } from '../contracts/limits.ts'
import type { Journal, StoredReceipt } from '../runtime/journal/journal.ts'

/** A clock may be set while an execution begins. */
const SLACK = 32

/** The position of the first record that is not older than `at`; positions without a record were pruned. */
const firstAt = (journal: Journal, actor: string, at: number): number => {
  let low = 0
  let high = journal.last(actor)?.n ?? 0
  while (low < high) {
    const middle = (low + high) >> 1
    const [record] = journal.records({ actor, fromN: middle, limit: 1 })
    if (record && record.at < at) low = Math.max(middle + 1, record.n + 1)
    else high = middle
  }
  return low
}

const isAbout = ({ event }: JournalRecord, executionId: string) => event.executionId === executionId

export interface ExecutionRecords {
  records: readonly JournalRecord[]
  /** There are more than could be read: its segments, and requests of others that were refused meanwhile. */
  isCut: boolean
}

/** From its request to the record that ended it, without what belongs to other executions. */
export const recordsOfExecution = (
  journal: Journal,
  { executionId, deviceId, acceptedAt }: StoredReceipt,
  most = TRACE_MAX,
): ExecutionRecords => {
  const actor = `device:${deviceId}`
  const fromN = Math.max(0, firstAt(journal, actor, acceptedAt) - SLACK)
  const limit = SLACK + most + 1
  const near = journal.records({ actor, fromN, limit })
  const first = near.findIndex(record => record.event.type === 'execution.requested' && isAbout(record, executionId))
  if (first < 0) return { records: [], isCut: false }
  const rest = near.slice(first)
  const end = rest.findIndex(({ to }, index) => index > 0 && to === 'idle')
  const all = end < 0 ? rest : rest.slice(0, end + 1)
  return { records: all.slice(0, most), isCut: all.length > most || (end < 0 && near.length === limit) }
}

/** Its payload in canonical form; undefined once retention has taken it. */
export const executionAsked = (journal: Journal, [requested]: readonly JournalRecord[]): Execution | undefined => {
  const body = requested?.digest == null ? undefined : journal.body(requested)
  const execution = (body as { execution?: Execution } | undefined)?.execution
  return Array.isArray(execution?.actions) ? execution : undefined
}
