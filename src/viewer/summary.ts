/** An execution in a row of a table: everything but its result, and how that turned out. */
import { type ExecutionSummariesQuery, type ExecutionSummary, SUCCESS } from '../contracts/viewer.ts'
import type { Journal, StoredReceipt } from '../runtime/journal/journal.ts'
import { eachReceipt } from '../runtime/journal/reading.ts'

/** How far back a filtered list looks. */
const SCANNED_MAX = 1_000

type Result = NonNullable<StoredReceipt['result']>
type Envelope = Extract<Result, { ok: true }>['envelope']

const failedEnvelope = ({ error, errorCode }: Envelope) => ({
  code: errorCode ?? error?.code ?? 'failed',
  ...(error ? { message: error.message } : {}),
})

const outcomeOf = (result: Result | undefined): Pick<ExecutionSummary, 'code' | 'message'> => {
  if (!result) return {}
  if (!result.ok) return { code: result.error.code, message: result.error.message }
  return result.envelope.status === 'success' ? { code: SUCCESS } : failedEnvelope(result.envelope)
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

/** Newest first. Filters that the journal has no index for are applied to the newest SCANNED_MAX. */
export function* summaries(journal: Journal, query: ExecutionSummariesQuery): Generator<ExecutionSummary> {
  const { deviceId, skillRunId, state, code, operatorPackage, limit } = query
  const indexed = { ...(deviceId ? { deviceId } : {}), ...(skillRunId ? { skillRunId } : {}) }
  let left = limit
  for (const receipt of eachReceipt(journal, { ...indexed, limit: SCANNED_MAX })) {
    if (state !== undefined && receipt.state !== state) continue
    if (operatorPackage !== undefined && receipt.operatorPackage !== operatorPackage) continue
    const summary = summaryOf(receipt)
    if (code !== undefined && summary.code !== code) continue
    yield summary
    left -= 1
    if (left === 0) return
  }
}
