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
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { endOfSegmentOf, firstOf } from '../executions/proven.ts'

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

/** Steps that left together, from `first` on and up to the one before `end`. */
interface SentSteps {
  first: number
  end: number
  segment: number
  startedAt: number
  /** When its answer had come; absent where none came, or nobody lived to hear it. */
  endedAt?: number
}

const isAnswered = ({ event }: JournalRecord): boolean =>
  event.type === 'execution.settled' && (event.ok === true || event.inDoubt === false)

/** The looks and gestures that one step needed are one of them. */
const sentStepsOf = (records: readonly JournalRecord[], actions: Execution['actions']): readonly SentSteps[] => {
  const sent: SentSteps[] = []
  for (const { event, at } of records) {
    if (event.type !== 'execution.dispatched') continue
    const segment = Number(event.segment)
    const first = typeof event.step === 'number' ? event.step : firstOf(actions, segment)
    const count = event.part === true ? 1 : event.count
    const end = typeof count === 'number' ? first + count : endOfSegmentOf(actions, first)
    const before = sent.at(-1)
    if (before?.first === first) {
      before.end = Math.max(before.end, end)
      continue
    }
    if (before) before.endedAt = at
    sent.push({ first, end, segment, startedAt: at })
  }
  const [last, answer] = [sent.at(-1), records.findLast(isAnswered)]
  if (last && answer) last.endedAt = answer.at
  return sent
}

const MEASURED = ['elapsed_ms', 'duration_ms']

/** The step's own duration; a step that is a whole segment falls back to the segment's time. */
const durationOf = (data: Readonly<Record<string, string>>, sent: SentSteps | undefined) => {
  const measured = MEASURED.map(key => Number(data[key] ?? Number.NaN)).find(ms => Number.isSafeInteger(ms) && ms >= 0)
  if (measured !== undefined) return measured
  if (sent?.endedAt === undefined || sent.end - sent.first > 1) return undefined
  return Math.max(0, sent.endedAt - sent.startedAt)
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

/** What its card says of a step. */
export const stepFacts = ({ type, params }: WordedAction): Pick<TraceStep, 'title' | 'looks' | 'takesTime'> => ({
  title: actionWords({ type, params }),
  ...(onlyLooks(type) ? { looks: true } : {}),
  ...(onlyLooks(type) && !cardOf(type)?.isStill ? { takesTime: true } : {}),
})

/** Actions that were asked for, with their results; results alone where the request is gone. */
interface TimelineParts {
  records: readonly JournalRecord[]
  execution: Execution | undefined
  /** The steps of the receipt of an execution without an envelope. */
  known?: Receipt['steps'] | undefined
}

type KnownStep = NonNullable<Receipt['steps']>[number]

/** Its times as they are on record: a step that did not run has none, and what was told later is the end of no step. */
const timesOf = (
  state: TraceStep['state'],
  sent: SentSteps | undefined,
  { source, at }: Pick<KnownStep, 'source' | 'at'> = {},
): Pick<TraceStep, 'startedAt' | 'endedAt' | 'source' | 'knownAt'> => {
  if (state === 'not-run') return {}
  const endedAt = sent?.endedAt ?? (source === 'progress' ? at : undefined)
  const known = source === undefined || source === 'result' ? undefined : { source, knownAt: at }
  return defined({ startedAt: sent?.startedAt, endedAt, ...known })
}

export const timelineOf = (
  receipt: StoredReceipt,
  { records, execution, known = [] }: TimelineParts,
): TraceExecution['timeline'] => {
  const results = receipt.result?.ok ? receipt.result.envelope.stepResults : []
  const executionError = errorOf(receipt.result)
  const sentSteps = sentStepsOf(records, execution?.actions ?? [])
  // A segment leaves after the one before it has come back without a failure.
  const proven = sentSteps.at(-1)?.first ?? 0

  const stepOf = (
    position: number,
    { id, type, params }: { id: string; type: string; params?: unknown },
    result: StepResult | undefined,
  ): TraceStep => {
    const sent = sentSteps.findLast(({ first, end }) => first <= position && position < end)
    const step = known[position]
    const state = result
      ? result.success
        ? 'succeeded'
        : 'failed'
      : position < proven
        ? 'succeeded'
        : (knownState(step) ?? stateWithoutResult(receipt, sent))
    const data = result ? shownData(result) : {}
    const durationMs = result && durationOf(data, sent)
    const screen = result && screenOf(receipt, result, position)
    return {
      id,
      type,
      ...stepFacts({ type, params }),
      state,
      data,
      ...(result && !result.success ? { error: stepError(result, executionError) } : {}),
      ...timesOf(state, sent, step),
      ...defined({ params, segment: sent?.segment, durationMs, screen }),
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
const knownState = (step: KnownStep | undefined): TraceStep['state'] | undefined => {
  if (step?.outcome === 'done') return 'succeeded'
  if (step?.outcome === 'failed') return 'failed'
  return step?.outcome === 'not_run' ? 'not-run' : undefined
}

/** An envelope lists the steps up to the first that failed; without one, what had left may have been done. */
const stateWithoutResult = ({ result }: StoredReceipt, sent: SentSteps | undefined): TraceStep['state'] =>
  result?.ok || sent === undefined ? 'not-run' : 'unknown'
