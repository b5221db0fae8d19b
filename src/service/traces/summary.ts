/** An execution in a row of a table: everything but its result, what it does in words, and how that turned out. */

import { type ExecutionSummariesQuery, type ExecutionSummary, SUCCESS_CODE } from '../../contracts/doors/viewer.ts'
import { titleOf } from '../../contracts/executions/action-words.ts'
import { EXECUTIONS_SEARCHED_MAX } from '../../contracts/limits/limits.ts'
import { EXECUTION_TITLES_MAX } from '../../contracts/limits/viewer-limits.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { readableOr } from '../../runtime/journal/reading.ts'
import { isSettled } from '../../runtime/journal/receipts.ts'
import { mayHaveChanged, withoutDoubt } from '../executions/completed-steps.ts'
import { requestedActions, requestRecord } from './trace-steps.ts'

type Result = NonNullable<StoredReceipt['result']>
type Envelope = Extract<Result, { ok: true }>['envelope']

const failedEnvelope = ({ error, errorCode }: Envelope) => ({
  code: errorCode ?? error?.code ?? 'failed',
  ...(error ? { message: error.message } : {}),
})

const outcomeOf = ({
  result,
  evidence,
}: Pick<StoredReceipt, 'result' | 'evidence'>): Pick<ExecutionSummary, 'code' | 'message'> => {
  if (!result) return {}
  if (!result.ok && evidence?.outcome === 'done') return { code: SUCCESS_CODE }
  if (!result.ok) {
    const { code, message } = result.error
    return { code, message: evidence?.outcome === undefined ? message : withoutDoubt(message) }
  }
  return result.envelope.status === 'success' ? { code: SUCCESS_CODE } : failedEnvelope(result.envelope)
}

/** Of an execution that failed, the step that failed may have acted. */
const isDecided = ({ evidence }: StoredReceipt): boolean =>
  evidence?.outcome === 'done' || evidence?.outcome === 'not_sent'

/** The journal is read for those alone that were sent and have no envelope. */
const isInDoubt = (receipt: StoredReceipt, journal: Journal | undefined): boolean =>
  isSettled(receipt) &&
  receipt.result?.ok === false &&
  receipt.dispatchedAt !== undefined &&
  !isDecided(receipt) &&
  (!journal || readableOr(true, () => mayHaveChanged(journal, receipt, requestRecord(journal, receipt))))

const typesOf = (result: Result | undefined): string[] =>
  result?.ok ? result.envelope.stepResults.map(({ actionType }) => actionType) : []

export type TitleFor = (receipt: StoredReceipt) => string | undefined

/** A title never changes, and finding one takes some twenty reads: the newest are remembered. */
export const createTitles = (journal: () => Journal, most = EXECUTION_TITLES_MAX): TitleFor => {
  const known = new Map<string, string>()
  return receipt => {
    const { executionId, state } = receipt
    const found = known.get(executionId)
    if (found !== undefined) return found
    // The payload of a request that waits stays with its process.
    if (state === 'waiting') return undefined
    const actions = readableOr(undefined, () => requestedActions(journal(), receipt))
    const title = actions && titleOf(actions)
    if (!title) return undefined
    const [oldest] = known.size >= most ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    known.set(executionId, title)
    return title
  }
}

/** Without a journal, all that was sent and has no envelope is in doubt. */
export const summaryOf = (receipt: StoredReceipt, titleFor: TitleFor, journal?: Journal): ExecutionSummary => {
  const { result, idempotency: _, skillRunId, ...rest } = receipt
  const steps = typesOf(result)
  const title = titleFor(receipt) ?? titleOf(steps.map(type => ({ type })))
  return {
    ...rest,
    ...(skillRunId === undefined ? {} : { skillRunId }),
    ...outcomeOf(receipt),
    ...(title === '' ? {} : { title }),
    ...(isInDoubt(receipt, journal) ? { inDoubt: true } : {}),
    steps,
  }
}

export interface Searched {
  searched: number
  older: boolean
}

export interface SummariesOptions {
  titleFor?: TitleFor
  most?: number
}

/** Newest first, then how far it looked. Filters that the journal has no index for are applied to the newest `most`. */
export function* summaries(
  journal: Journal,
  query: ExecutionSummariesQuery,
  { titleFor = createTitles(() => journal), most = EXECUTIONS_SEARCHED_MAX }: SummariesOptions = {},
): Generator<ExecutionSummary, Searched> {
  const { deviceId, skillRunId, state, code, operatorPackage, limit } = query
  const indexed = { ...(deviceId ? { deviceId } : {}), ...(skillRunId ? { skillRunId } : {}) }
  const ids = journal.receiptIds({ ...indexed, limit: most + 1 })
  let left = limit
  let searched = 0
  for (const id of ids.slice(0, most)) {
    searched += 1
    const receipt = journal.receipt(id)
    if (!receipt) continue
    if (state !== undefined && receipt.state !== state) continue
    if (operatorPackage !== undefined && receipt.operatorPackage !== operatorPackage) continue
    if (code !== undefined && outcomeOf(receipt).code !== code) continue
    yield summaryOf(receipt, titleFor, journal)
    left -= 1
    if (left === 0) break
  }
  return { searched, older: searched < ids.length }
}
