/** The records of one execution, and its steps as far as they tell: what was asked, when its segment left, what came back. */

import { cardOf, onlyLooks } from '../../contracts/actions/cards.ts'
import { pictureUrl } from '../../contracts/device/picture-url.ts'
import type { TraceExecution, TraceStep } from '../../contracts/doors/viewer.ts'
import { actionWords, type WordedAction } from '../../contracts/executions/action-words.ts'
import { isBegun } from '../../contracts/executions/begun-execution.ts'
import type { Execution } from '../../contracts/executions/execution.ts'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import { defined } from '../../contracts/json/json.ts'
import { TRACE_MAX } from '../../contracts/limits/limits.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import { cutSegments, lengthOf } from '../../device/operators/segment.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'

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
  isTruncated: boolean
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
  const first = near.findIndex(record => isBegun(record) && isAbout(record, executionId))
  if (first < 0) return { records: [], isTruncated: false }
  const rest = near.slice(first)
  const end = rest.findIndex(({ to }, index) => index > 0 && to === 'idle')
  const all = end < 0 ? rest : rest.slice(0, end + 1)
  return { records: all.slice(0, most), isTruncated: all.length > most || (end < 0 && near.length === limit) }
}

/** So many records follow the moment of acceptance when the clock was not set meanwhile. */
const NEAR = 4

/** The record of its request, without reading all of its records. */
export const requestRecord = (
  journal: Journal,
  { executionId, deviceId, acceptedAt }: StoredReceipt,
): JournalRecord | undefined => {
  const actor = `device:${deviceId}`
  const first = firstAt(journal, actor, acceptedAt)
  const among = (fromN: number, limit: number) =>
    journal
      .records({ actor, fromN, limit, passesDamage: true })
      .find(record => record.event.type === 'execution.requested' && isAbout(record, executionId))
  return among(first, NEAR) ?? among(Math.max(0, first - SLACK), 2 * SLACK)
}

/** The actions of one execution; undefined once retention has taken them. */
export const requestedActions = (journal: Journal, receipt: StoredReceipt): Execution['actions'] | undefined => {
  const request = requestRecord(journal, receipt)
  return request && requestedExecution(journal, [request])?.actions
}

/** Its payload in canonical form; undefined once retention has taken it. */
export const requestedExecution = (journal: Journal, [requested]: readonly JournalRecord[]): Execution | undefined => {
  const body = requested?.digest == null ? undefined : journal.body(requested)
  const execution = (body as { execution?: Execution } | undefined)?.execution
  return Array.isArray(execution?.actions) ? execution : undefined
}

type Result = NonNullable<StoredReceipt['result']>
type StepResult = Extract<Result, { ok: true }>['envelope']['stepResults'][number]
type StepError = NonNullable<TraceStep['error']>

interface Span {
  startedAt?: number
  endedAt?: number
}

/** What is recorded while an execution runs, or after its end, ends no segment. */
const NO_END: readonly string[] = ['execution.progressed', 'execution.evidenced']

/** When each segment left, and when the next one did or the answer came. */
const spansOf = (records: readonly JournalRecord[]): ReadonlyMap<number, Span> => {
  const left = records.filter(({ event }) => event.type === 'execution.dispatched')
  const end = records.length > 1 ? records.findLast(({ event }) => !NO_END.includes(event.type)) : undefined
  return new Map(
    left.map(({ event, at }, index) => {
      const endedAt = left[index + 1]?.at ?? (end?.event.type === 'execution.dispatched' ? undefined : end?.at)
      return [Number(event.segment), { startedAt: at, ...(endedAt === undefined ? {} : { endedAt }) }]
    }),
  )
}

const MEASURED = ['elapsed_ms', 'duration_ms']

/** The step's own duration; a step that is a whole segment falls back to the segment's time. */
const durationOf = (data: Readonly<Record<string, string>>, { startedAt, endedAt }: Span, isAlone: boolean) => {
  const measured = MEASURED.map(key => Number(data[key] ?? Number.NaN)).find(ms => Number.isSafeInteger(ms) && ms >= 0)
  if (measured !== undefined) return measured
  if (!isAlone || startedAt === undefined || endedAt === undefined) return undefined
  return Math.max(0, endedAt - startedAt)
}

export const errorOf = (result: Result | undefined): StepError | undefined => {
  const error = result?.ok ? result.envelope.error : result?.error
  if (!error) return undefined
  const { code, message, hint, details } = error
  return { code, message, ...defined({ hint, details }) }
}

const stepError = ({ data }: StepResult, executionError: StepError | undefined): StepError => {
  const code = data.error ?? executionError?.code ?? 'failed'
  if (executionError?.code === code) return executionError
  return { code, message: data.message ?? data.error_message ?? code, ...(data.hint ? { hint: data.hint } : {}) }
}

/** The hierarchy that a step answered with: compact lines are text for a reader, and no tree is drawn from them. */
export const hierarchyOf = ({ actionType, data, success }: StepResult): string | undefined =>
  success && actionType === 'snapshot' && data.format !== 'compact' ? data.text : undefined

const screenOf = ({ executionId }: StoredReceipt, step: StepResult, position: number): TraceStep['screen'] => {
  const { id, actionType, data, success } = step
  const xml = hierarchyOf(step)
  if (xml !== undefined) return { xml }
  if (!success) return undefined
  if (actionType !== 'take_screenshot' || data.path === undefined) return undefined
  return { picture: pictureUrl(executionId, { id, position }) }
}

/** The XML of a snapshot is its screen already. */
const shownData = (step: StepResult): TraceStep['data'] => {
  if (hierarchyOf(step) === undefined) return step.data
  const { text: _, ...rest } = step.data
  return rest
}

/** Actions that were asked for, with their results; results alone where the request is gone. */
/** What its card says of a step. */
export const stepFacts = ({ type, params }: WordedAction): Pick<TraceStep, 'title' | 'looks' | 'takesTime'> => ({
  title: actionWords({ type, params }),
  ...(onlyLooks(type) ? { looks: true } : {}),
  ...(onlyLooks(type) && !cardOf(type)?.isStill ? { takesTime: true } : {}),
})

interface TimelineParts {
  records: readonly JournalRecord[]
  execution: Execution | undefined
  /** The steps of the receipt of an execution without an envelope. */
  known?: Receipt['steps'] | undefined
}

export const timelineOf = (
  receipt: StoredReceipt,
  { records, execution, known = [] }: TimelineParts,
): TraceExecution['timeline'] => {
  const results = receipt.result?.ok ? receipt.result.envelope.stepResults : []
  const executionError = errorOf(receipt.result)
  const spans = spansOf(records)
  const segments = execution ? cutSegments(execution.actions) : []
  // A segment leaves after the one before it has come back without a failure.
  const lastStep = records.findLast(({ event }) => event.type === 'execution.dispatched')?.event.step
  const proven = typeof lastStep === 'number' ? lastStep : 0
  const segmentOf = segments.flatMap(one => Array.from({ length: lengthOf(one) }, () => one))

  const stepOf = (
    position: number,
    { id, type, params }: { id: string; type: string; params?: unknown },
    result: StepResult | undefined,
  ): TraceStep => {
    const segment = segmentOf[position]
    const span = (segment && spans.get(segment.index)) ?? {}
    const isAlone = segment !== undefined && (segment.kind === 'host' || segment.actions.length === 1)
    const data = result ? shownData(result) : {}
    const durationMs = result && durationOf(data, span, isAlone)
    const screen = result && screenOf(receipt, result, position)
    return {
      id,
      type,
      ...stepFacts({ type, params }),
      state: result
        ? result.success
          ? 'succeeded'
          : 'failed'
        : position < proven
          ? 'succeeded'
          : (knownState(receipt, known[position]) ?? stateWithoutResult(receipt, span)),
      data,
      ...(result && !result.success ? { error: stepError(result, executionError) } : {}),
      ...span,
      ...defined({ params, segment: segment?.index, durationMs, screen }),
    }
  }

  if (!execution)
    return results.map((result, position) => stepOf(position, { id: result.id, type: result.actionType }, result))
  // Steps may share an id.
  return execution.actions.map((action, position) => {
    const result = results[position]
    return stepOf(position, action, result?.id === action.id ? result : undefined)
  })
}

/** Steps that were told as they ended, or when the phone was asked. */
const knownState = (
  { evidence }: StoredReceipt,
  step: NonNullable<Receipt['steps']>[number] | undefined,
): TraceStep['state'] | undefined => {
  if (step?.outcome === 'done') return 'succeeded'
  if (step?.outcome === 'failed') return 'failed'
  return step?.outcome === 'not_run' && evidence?.outcome !== undefined ? 'not-run' : undefined
}

/** An envelope lists the steps up to the first that failed; without one, what had left may have been done. */
const stateWithoutResult = ({ result }: StoredReceipt, { startedAt }: Span): TraceStep['state'] =>
  result?.ok || startedAt === undefined ? 'not-run' : 'unknown'
