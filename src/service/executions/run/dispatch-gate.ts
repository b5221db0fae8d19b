/** Holds the device machine's orders for one running execution, and the gate of each segment before its bytes leave. */

import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { ENVELOPE_GRACE_MS } from '../../../contracts/limits/limits.ts'
import type { StoredEvent } from '../../../contracts/records/journal.ts'
import type { CallOptions } from '../../../device/link/link.ts'
import { freshNonce } from '../../../device/operators/app/segment-request.ts'
import { type RefusedSegment, refusalIn, STOPPED } from '../../../device/operators/segment-outcome.ts'
import type { DispatchGate, SegmentRecord } from '../../../device/operators/segment-run.ts'
import { type Abortion, createAbortion, unlessAborted } from '../../../runtime/abortion.ts'
import { type Clock, type ClockReading, readClock, sinceMs } from '../../../runtime/clock.ts'
import type { Ids } from '../../../runtime/ids.ts'
import { JournalError } from '../../../runtime/journal/fault.ts'
import type { PortTools } from '../../../runtime/port.ts'

interface ControlOptions {
  executionId: string
  timeoutMs: number
  /** The first segment does not leave after this. */
  acceptUntil: number
  tools: PortTools
  clock: Clock
  /** Why this host may not act on the phone now. */
  fenced: () => ErrorObject | undefined
  ids: Ids
  /** Names this run of the machine, where the system does. */
  bootId(): string | undefined
  /** Somebody wants the execution to end, and the machine may not know it yet. */
  isCancelled: () => boolean
}

/** A fixed abort reason: without one, each abort creates an exception with a stack, once per execution and signal. */
const OVER = 'the execution is over'

/** The device would still be at work when its caller has been answered and the next execution begins: after a suspension, say. */
const refusalOfDelay = (recordMs: number): RefusedSegment | undefined =>
  recordMs > ENVELOPE_GRACE_MS
    ? {
        kind: 'not sent',
        code: 'JOURNAL_UNAVAILABLE',
        message: `the record that must precede a dispatch took ${Math.round(recordMs)} ms, and what leaves so late may act after its answer`,
      }
    : undefined

/** The record that precedes the bytes of a segment. */
export const dispatchedEvent = (
  executionId: string,
  segment: number,
  place: { step?: number; stepped?: true; boot?: string } & Omit<SegmentRecord, 'isStepped'> = {},
): StoredEvent => ({
  type: 'execution.dispatched',
  executionId,
  segment,
  ...place,
})

export const createControl = ({
  executionId,
  timeoutMs,
  acceptUntil,
  tools,
  clock,
  fenced,
  isCancelled,
  ids,
  bootId,
}: ControlOptions): DispatchGate => {
  const halt = createAbortion(OVER)
  const end = createAbortion(OVER)
  const started = readClock(clock)
  // No longer than an execution can last, should the wall clock have been set since it was requested.
  const prepareMs = Math.min(acceptUntil - started.at, timeoutMs + ENVELOPE_GRACE_MS)
  const answerMs = Math.min(acceptUntil - started.at, ENVELOPE_GRACE_MS) + timeoutMs
  let dispatched: ClockReading | undefined
  let step = 0
  let overdue = false
  let cancelled = false

  const stop = () => {
    halt.abort()
    end.abort()
  }
  tools.left.onAbort(stop)
  tools.onEvent(event => {
    if (event.type === 'execution.cancelled') cancelled = true
    if (event.type === 'deadline.passed') overdue = true
    if (overdue) stop()
    halt.abort()
  })

  const spentMs = () => (dispatched ? sinceMs(clock, dispatched) : 0)
  /** From now on, so that a wall clock that was set meanwhile takes nothing away and adds nothing. */
  const deadline = () =>
    clock.now() + (dispatched ? timeoutMs + ENVELOPE_GRACE_MS - spentMs() : prepareMs - sinceMs(clock, started))

  const callUntil = (stop: Abortion): CallOptions => ({
    deadline: deadline(),
    get signal() {
      return stop.signal
    },
  })

  return {
    halt,
    end,
    reached(done) {
      step = done
    },
    async progressed(progress) {
      if (!halt.aborted) await tools.send({ type: 'execution.progressed', executionId, ...progress })
    },
    nonceOf(segment) {
      const { ahead } = tools
      return segment === 0 && typeof ahead?.nonce === 'string' ? ahead.nonce : freshNonce(ids)
    },
    async stepped(index, success) {
      if (halt.aborted) return
      const steps = [{ step: step + index, success }]
      if (!(await tools.note({ type: 'execution.evidenced', executionId, source: 'progress', steps }))) stop()
    },
    async dispatch(segment, { isStepped, ...how } = {}) {
      // Later its caller may have been told that it failed.
      if (halt.aborted || (!dispatched && sinceMs(clock, started) > prepareMs)) return STOPPED
      const boot = isStepped ? bootId() : undefined
      const stepped = boot === undefined ? {} : { stepped: true as const, boot }
      const event = dispatchedEvent(executionId, segment, { ...(segment === 0 ? {} : { step }), ...how, ...stepped })
      const before = tools.isRecorded(event) ? undefined : refusalIn(fenced())
      if (before) return before
      if (isCancelled()) {
        await tools.send({ type: 'execution.cancelled', executionId })
        return STOPPED
      }
      const moment = readClock(clock)
      try {
        const commit = tools.commit(event)
        if (!(await unlessAborted(commit, halt))) {
          stop()
          return STOPPED
        }
      } catch (error) {
        if (!(error instanceof JournalError)) throw error
        const message = `the record that must precede a dispatch could not be written: ${error.message}`
        return { kind: 'not sent', code: 'JOURNAL_UNAVAILABLE', message }
      }
      // To write the record takes time, in which the phone may have changed its owner.
      const after = refusalIn(fenced()) ?? refusalOfDelay(sinceMs(clock, moment))
      if (after) return after
      dispatched ??= moment
      return halt.aborted ? STOPPED : undefined
    },
    fenced,
    isOverdue: () => overdue,
    isCancelled: () => cancelled,
    dispatched: () => dispatched,
    spentMs,
    answerLeftMs: () => answerMs - sinceMs(clock, started),
    preparing: () => callUntil(halt),
    acting: () => callUntil(end),
  }
}
