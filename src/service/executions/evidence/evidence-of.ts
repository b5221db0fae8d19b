/** Turns the answer of a phone about an execution in doubt into the event that records what it proves. */
import type { WireEnvelope } from '../../../contracts/device/operator.ts'
import type { Action } from '../../../contracts/executions/action.ts'
import type { EvidencedOutcome, EvidenceSource } from '../../../contracts/executions/evidence.ts'
import type { ExecutionResult } from '../../../contracts/executions/execution-result.ts'
import type { ResultAnswer } from '../../../device/operators/app/ask-for-result.ts'
import { partOf, type SegmentResult } from '../../../device/operators/app/wire/merge.ts'
import { sentEnd } from '../proven.ts'
import type { RecordedExecution } from '../recorded.ts'
import { answerWithEnvelope } from '../run/build-result.ts'

export interface EvidencedEvent {
  type: 'execution.evidenced'
  executionId: string
  source: EvidenceSource
  steps: { step: number; success: boolean }[]
  outcome?: EvidencedOutcome
  body?: ExecutionResult
}

export interface AskedSegment {
  executionId: string
  recorded: RecordedExecution
  /** The step of the list with which the segment begins. */
  first: number
}

/** A result of other steps than those that were sent proves nothing. */
const isAboutThem = ({ recorded, first }: AskedSegment, { stepResults }: WireEnvelope): boolean => {
  const sent = recorded.dispatch.execution.actions.slice(first, sentEnd(recorded))
  return stepResults.every(({ id, actionType }, index) => sent[index]?.id === id && sent[index].type === actionType)
}

/** The whole result, where the segment is the whole list or ends it. The parts of earlier segments went with their process. */
const wholeResult = (
  { executionId, recorded, first }: AskedSegment,
  part: SegmentResult,
): ExecutionResult | undefined => {
  const { dispatch } = recorded
  const isLast = part.error !== null || part.stepResults.length === dispatch.execution.actions.length
  return first === 0 && isLast
    ? answerWithEnvelope({ executionId, dispatch, parts: [part], dispatchedAt: 0, elapsedMs: 0 })
    : undefined
}

const byEnvelope = (
  segment: AskedSegment,
  envelope: WireEnvelope,
  source: EvidenceSource,
): EvidencedEvent | undefined => {
  if (!isAboutThem(segment, envelope)) return undefined
  const { executionId, recorded, first } = segment
  const part = partOf(envelope)
  const steps = part.stepResults.map(({ success }, index) => ({ step: first + index, success }))
  const isDone = part.error === null && first + steps.length === recorded.dispatch.execution.actions.length
  const body = wholeResult(segment, part)
  const outcome = isDone ? 'done' : 'failed'
  return { type: 'execution.evidenced', executionId, source, steps, outcome, ...(body ? { body } : {}) }
}

/** Undefined where the answer proves nothing that is not on record. */
export const evidenceIn = (segment: AskedSegment, answer: ResultAnswer): EvidencedEvent | undefined => {
  if (answer.kind === 'unanswered') return undefined
  const source: EvidenceSource = answer.from
  if (answer.kind === 'result') return byEnvelope(segment, answer.envelope, source)
  const { executionId, recorded, first } = segment
  const steps = answer.progress
    .map(({ step, success }) => ({ step: first + step, success }))
    .filter(({ step }) => !recorded.ended.has(step))
  return steps.length === 0 ? undefined : { type: 'execution.evidenced', executionId, source, steps }
}

/** The gesture is a single one, and with its success the step has ended. */
const endsWithGesture = ({ type, params }: Action): boolean =>
  type === 'click' && params.repeat === undefined && params.clickType !== 'focus'

/** Reads from the result of a look or a gesture whether the step that needed it has ended. */
export const evidenceInPart = (
  { executionId, recorded, first }: AskedSegment,
  answer: ResultAnswer,
): EvidencedEvent | undefined => {
  const action = recorded.dispatch.execution.actions[first]
  if (answer.kind !== 'result' || !action || !endsWithGesture(action)) return undefined
  const [gesture, ...more] = answer.envelope.stepResults
  const isIt = gesture?.id === action.id && gesture.actionType === action.type && gesture.success && more.length === 0
  return isIt
    ? { type: 'execution.evidenced', executionId, source: answer.from, steps: [{ step: first, success: true }] }
    : undefined
}
