/** The executions that were sent and ended without an envelope: the newest, of which more may become known. */
import type { DeviceEvent } from '../../src/contracts/events/device.ts'
import type { EvidencedOutcome } from '../../src/contracts/executions/evidence.ts'
import type { ExecutionResult } from '../../src/contracts/executions/execution-result.ts'
import { EVIDENCE_KEPT_MS } from '../../src/contracts/limits/limits.ts'
import type { Definition, Step } from '../definition.ts'
import type { CurrentExecution, SentSegment } from './device-answers.ts'

export interface Doubt extends Pick<SentSegment, 'segment' | 'step'> {
  executionId: string
  operatorPackage: string
  /** Null where the host performed the segment: then only what is on record of it decides. */
  nonce: string | null
  dispatchedAt: number
  /** When it ended. */
  endedAt: number
  /** Until then the phone may still be at work on it. */
  busyUntil: number
  /** The steps of which it is known how they ended. */
  known: readonly number[]
}

/** A phone that loses its link over and over leaves no more. */
const DOUBTS_MAX = 16

const NONE: readonly Doubt[] = []

/** Contexts of version 3 have none. */
export const doubtsOf = (snapshot: { context: unknown } | undefined): readonly Doubt[] =>
  (snapshot?.context as { doubts?: readonly Doubt[] } | undefined)?.doubts ?? NONE

export const sentSegment = (event: DeviceEvent & { type: 'execution.dispatched' }): SentSegment => ({
  segment: event.segment,
  step: event.step ?? 0,
  nonce: event.nonce ?? null,
})

/** Operator apps may still have its result. */
export const isYoung = ({ endedAt }: Pick<Doubt, 'endedAt'>, now: number): boolean =>
  Math.abs(now - endedAt) < EVIDENCE_KEPT_MS

/** The doubts for which the phone can be asked. */
export const youngDoubts = (context: unknown, now: number): readonly Doubt[] => {
  const doubts = doubtsOf({ context })
  return doubts.length === 0 ? doubts : doubts.filter(doubt => doubt.nonce !== null && isYoung(doubt, now))
}

/** No list runs longer on a phone that performs it by itself. */
export const busyUntilOf = ({ dispatchedAt, timeoutMs }: { dispatchedAt: number; timeoutMs: number }): number =>
  dispatchedAt + timeoutMs

const endsInDoubt = (event: DeviceEvent): boolean =>
  event.type !== 'execution.settled' || (!event.ok && event.dispatched !== false && event.inDoubt !== false)

/** An event that gives the device free. */
export const doubtsAfterEnd = (
  doubts: readonly Doubt[] = NONE,
  current: CurrentExecution | null,
  event: DeviceEvent,
): readonly Doubt[] => {
  const { executionId, dispatchedAt = null, timeoutMs = 0, operatorPackage, sent } = current ?? {}
  if (!executionId || dispatchedAt === null || !sent || operatorPackage == null || !endsInDoubt(event)) return doubts
  const { segment, step, nonce } = sent
  const busyUntil = busyUntilOf({ dispatchedAt, timeoutMs })
  const place = { segment, step, nonce, dispatchedAt, endedAt: event.at, busyUntil }
  return [...doubts, { executionId, operatorPackage, ...place, known: [] }].slice(-DOUBTS_MAX)
}

/** Steps that are known stay known as they are, and an execution whose whole is known is in doubt no more. */
export const doubtsAfterEvidence = (doubts: readonly Doubt[] = NONE, event: DeviceEvent): readonly Doubt[] =>
  event.type !== 'execution.evidenced'
    ? doubts
    : doubts.flatMap(doubt => {
        if (doubt.executionId !== event.executionId) return [doubt]
        const known = new Set([...doubt.known, ...event.steps.map(({ step }) => step)])
        return event.outcome === undefined ? [{ ...doubt, known: [...known] }] : []
      })

export const isNews = (doubts: readonly Doubt[] = NONE, event: DeviceEvent): boolean =>
  event.type === 'execution.evidenced' &&
  doubts.some(
    ({ executionId, known }) =>
      executionId === event.executionId &&
      (event.outcome !== undefined || event.steps.some(({ step }) => !known.includes(step))),
  )

/** A cancelled execution was answered before its envelope came. */
const lateEnvelope = ({ event: { type, body } }: Step): EvidencedOutcome | undefined => {
  const result = type === 'execution.settled' ? (body as ExecutionResult | undefined) : undefined
  return result?.ok ? (result.envelope.status === 'success' ? 'done' : 'failed') : undefined
}

/** The evidence goes into the receipt of the execution, which is settled. */
export const learnedIn: NonNullable<Definition['learned']> = step => {
  const { before, event } = step
  const { at } = event
  if (event.type === 'execution.settled' && before?.matches({ running: 'draining' })) {
    const outcome = lateEnvelope(step)
    const { executionId } = event as { executionId?: string }
    return outcome && executionId ? { executionId, evidence: { source: 'operator', at, outcome } } : undefined
  }
  if (event.type !== 'execution.evidenced' || !isNews(doubtsOf(before), event as DeviceEvent)) return undefined
  const { executionId, source, outcome } = event as DeviceEvent & { type: 'execution.evidenced' }
  return { executionId, evidence: { source, at, ...(outcome === undefined ? {} : { outcome }) } }
}
