/** Reads one execution from the journal: its payload, how far it was sent, and the last result that came. */
import { isBegun } from '../../contracts/executions/begun-execution.ts'
import type { EvidenceSource } from '../../contracts/executions/evidence.ts'
import type { ExecutionResult } from '../../contracts/executions/execution-result.ts'
import type { JournalRecord } from '../../contracts/records/journal.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import type { Dispatch } from './dispatch.ts'

/** The end of one step: who told it, and when. */
export interface StepEnd {
  success: boolean
  source: EvidenceSource
  at: number
}

export interface RecordedExecution {
  dispatch: Dispatch
  /** The highest segment that was recorded before it left; undefined when none was. */
  lastSegment: number | undefined
  /** The step that it begins with; what other processes of older versions sent does not say it. */
  lastStep: number | undefined
  /** How many steps it has; undefined where it has all of its segment. */
  lastCount: number | undefined
  /** By which the operator app can be asked about that segment; undefined where the host performed it. */
  nonce: string | undefined
  /** True for a look or a gesture of a step that the host performs: the result of that segment proves no step. */
  isPart: boolean
  /** True for a look before the first gesture of its step: the step has not begun. */
  isUnbegun: boolean
  /** The host performed that segment: what stands before a step that acts had its end on record before that one began. */
  isStepped: boolean
  /** Steps whose end is on record, by their place in the list. */
  ended: ReadonlyMap<number, StepEnd>
  /** The result that became known after its end. */
  learned: ExecutionResult | undefined
  /** The operator's final result; for a cancelled execution it comes after the answer, and knows more. */
  settled: ExecutionResult | undefined
  /** Epoch ms: from the dispatch to the end, where both are known. */
  durationMs: number | undefined
}

const PAGE = 250
/** A phone that is used all the time has not so many records in the time in which evidence comes. */
const EVIDENCE_WITHIN = 50_000

const isAbout = ({ event }: JournalRecord, executionId: string) => event.executionId === executionId

/** From the newest page to the oldest: most executions that are asked for are recent. */
const requestOf = (journal: Pick<Journal, 'records' | 'last'>, actor: string, executionId: string) => {
  const newest = journal.last(actor)?.n ?? -1
  for (let end = newest + 1; end > 0; end -= PAGE) {
    const page = journal.records({ actor, fromN: Math.max(0, end - PAGE), limit: Math.min(PAGE, end) })
    const found = page.find(record => isBegun(record) && isAbout(record, executionId))
    if (found || page.length === 0 || (page[0]?.n ?? 0) > end) return found
  }
  return undefined
}

type Ended = readonly { step: number; success: boolean }[]

const endsIn = ({ event, at }: JournalRecord): [number, StepEnd][] => {
  const { steps, source } = event as { steps?: Ended; source?: EvidenceSource }
  return (steps ?? []).map(({ step, success }) => [step, { success, source: source ?? 'progress', at }])
}

/** Until the next execution was requested and taken, everything of this actor is about this one. */
function* recordsFrom(journal: Pick<Journal, 'records'>, actor: string, n: number): Generator<JournalRecord> {
  for (let fromN = n; ; fromN += PAGE) {
    const page = journal.records({ actor, fromN, limit: PAGE })
    yield* page
    if (page.length < PAGE) return
  }
}

/** `known` is the record of its request where the caller has it. Undefined when retention has taken the payload. Throws JournalError. */
export const recordedExecution = (
  journal: Pick<Journal, 'records' | 'last' | 'body'>,
  { executionId, deviceId, dispatchedAt, settledAt, evidence }: StoredReceipt,
  known?: JournalRecord | undefined,
): RecordedExecution | undefined => {
  const actor = `device:${deviceId}`
  const request = known ?? requestOf(journal, actor, executionId)
  const dispatch = request?.digest ? (journal.body(request) as Dispatch | undefined) : undefined
  if (!request || !Array.isArray(dispatch?.execution?.actions)) return undefined
  let lastSegment: number | undefined
  let lastStep: number | undefined
  let lastCount: number | undefined
  let settled: ExecutionResult | undefined
  let nonce: string | undefined
  let learned: ExecutionResult | undefined
  let isOver = false
  /** Records behind the end. */
  let after = 0
  let isStepped = false
  let boot: unknown
  let isPart = false
  let isUnbegun = false
  let hasEvidence = evidence === undefined
  const ended = new Map<number, StepEnd>()
  for (const record of recordsFrom(journal, actor, request.n + 1)) {
    const { event, digest, to } = record
    if (isAbout(record, executionId)) {
      hasEvidence ||= record.at === evidence?.at
      if (event.type === 'execution.dispatched') {
        lastSegment = Number(event.segment)
        lastStep = typeof event.step === 'number' ? event.step : undefined
        lastCount = typeof event.count === 'number' ? event.count : undefined
        isStepped = event.stepped === true
        boot = event.boot
        isPart = event.part === true
        isUnbegun = event.unbegun === true
        nonce = typeof event.nonce === 'string' ? event.nonce : undefined
      }
      // The ends of steps do not wait for the disk: a power failure may have taken the last ones.
      if (event.type === 'execution.interrupted' && boot !== undefined && boot !== event.boot) isStepped = false
      if (event.type === 'execution.evidenced') {
        for (const [step, end] of endsIn(record)) if (!ended.has(step)) ended.set(step, end)
        if (digest) learned ??= journal.body(record) as ExecutionResult | undefined
      }
      if (event.type === 'execution.settled' && digest) settled = journal.body(record) as ExecutionResult | undefined
    }
    isOver ||= to === 'idle'
    if (isOver) after += 1
    // Evidence comes later, and until then other executions may have had the device, and the clock may have been set.
    if (isOver && (hasEvidence || after > EVIDENCE_WITHIN)) break
  }
  const durationMs = dispatchedAt === undefined || settledAt === undefined ? undefined : settledAt - dispatchedAt
  return {
    ...{ dispatch, lastSegment, lastStep, lastCount, nonce, isStepped, isPart, isUnbegun },
    ...{ ended, learned, settled, durationMs },
  }
}
