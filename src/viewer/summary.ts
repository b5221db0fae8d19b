/** An execution in a row of a table: everything but its result, and how that turned out. */
import { VIEWER_SEARCHED_MAX } from '../contracts/limits.ts'
import { type ExecutionSummariesQuery, type ExecutionSummary, SUCCESS_CODE } from '../contracts/viewer.ts'
import type { Journal, StoredReceipt } from '../runtime/journal/journal.ts'

type Result = NonNullable<StoredReceipt['result']>
type Envelope = Extract<Result, { ok: true }>['envelope']

const failedEnvelope = ({ error, errorCode }: Envelope) => ({
  code: errorCode ?? error?.code ?? 'failed',
  ...(error ? { message: error.message } : {}),
})

const outcomeOf = (result: Result | undefined): Pick<ExecutionSummary, 'code' | 'message'> => {
  if (!result) return {}
  if (!result.ok) return { code: result.error.code, message: result.error.message }
  return result.envelope.status === 'success' ? { code: SUCCESS_CODE } : failedEnvelope(result.envelope)
}

export const summaryOf = ({ result, idempotency: _, ...receipt }: StoredReceipt): ExecutionSummary => {
  const { skillRunId, ...rest } = receipt
  return {
    ...rest,
    ...(skillRunId === undefined ? {} : { skillRunId }),
    ...outcomeOf(result),
    steps: result?.ok ? result.envelope.stepResults.map(({ actionType }) => actionType) : [],
  }
}

export interface Searched {
  searched: number
  older: boolean
}

/** Newest first, then how far it looked. Filters that the journal has no index for are applied to the newest `most`. */
export function* summaries(
  journal: Journal,
  query: ExecutionSummariesQuery,
  most = VIEWER_SEARCHED_MAX,
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
    const summary = summaryOf(receipt)
    if (code !== undefined && summary.code !== code) continue
    yield summary
    left -= 1
    if (left === 0) break
  }
  return { searched, older: searched < ids.length }
}
