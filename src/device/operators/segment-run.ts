/** The execution that a segment is of, as far as an operator needs it. */

import type { Execution } from '../../contracts/executions/execution.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { StepProgress } from '../../contracts/records/actor.ts'
import type { Abortion } from '../../runtime/abortion.ts'
import type { Clock, ClockReading } from '../../runtime/clock.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { CallOptions } from '../link/link.ts'
import type { MatchPattern } from '../screen/patterns/pattern.ts'
import type { ScreenHandover } from '../screen/screen-handover.ts'
import type { DeviceSession } from './app/session/sessions.ts'
import type { SegmentOutcome } from './segment-outcome.ts'

export interface SegmentRun {
  executionId: string
  dispatch: { execution: Execution }
  session: DeviceSession
  control: DispatchGate
  clock: Clock
  matchPattern: MatchPattern
  /** Between the steps of this execution. */
  handover?: ScreenHandover | undefined
  ids: Ids
  random(): number
  /**
   * Hears which steps of a segment have ended before its result is there, where the operator tells: each once, in order, and
   * not always the last. Must not throw.
   */
  onProgress?: ((progress: SegmentProgress) => void) | undefined
}

export interface SegmentProgress {
  segment: number
  /** The index of the step in its segment. */
  step: number
  success: boolean
}

/** The facts of a segment that are recorded before it leaves. */
export interface SegmentRecord {
  /** By which the operator app can be asked for it. */
  nonce?: string
  /** So many steps of the list, where others of the same segment are not sent with them. */
  count?: number
  /** It is a look or a gesture of a step that the host performs: its result proves no step. */
  part?: true
  /** A look before the first gesture of its step: as long as no other segment is on record behind it, that step has not begun. */
  unbegun?: true
  /** The host performs its steps, and records the end of each before one that acts begins, and the end of one that acted. */
  isStepped?: boolean
}

/** The device machine's orders for the execution, and the gate of each segment before its bytes leave. */
export interface DispatchGate {
  /** Records that the segment leaves now, and waits until the disk has it. A delivery: then nothing of it may leave. */
  dispatch(segment: number, how?: SegmentRecord): Promise<Extract<SegmentOutcome, { kind: 'not sent' }> | undefined>
  /** By which an operator app can be asked, also by another process, what became of the segment: 128 random bits in hex. */
  nonceOf(segment: number): string
  /**
   * Records how a step of the segment under way ended, counted from 0 in the segment; `halt` is aborted where that fails. A
   * step that acts and follows counts as not begun without this record, unless the power has failed since: to wait for the
   * disk would cost more than most steps.
   */
  stepped(index: number, success: boolean): Promise<unknown>
  /** Why this host may no longer act on the phone: asked where time has passed since the dispatch. */
  fenced(): ErrorObject | undefined
  /** Sets the step with which the next dispatch begins, which is also the number of steps that are done. */
  reached(step: number): void
  /** Records how far the step under way is; resolves when that is done, or when it was of no use any more. */
  progressed(progress: StepProgress): Promise<unknown>
  /** Aborted as soon as nothing further may leave for the device. */
  readonly halt: Abortion
  /** Aborted when a result is not waited for any more either. */
  readonly end: Abortion
  /** The machine's wait has passed, and it wants to hear what was seen so far. */
  isOverdue(): boolean
  /** Cancelled and answered already; the machine waits for the device to be free. */
  isCancelled(): boolean
  /** When the first segment left. */
  dispatched(): ClockReading | undefined
  /** How long ago that was; 0 before it. */
  spentMs(): number
  /** How long it is until the caller is answered, whatever has come by then. */
  answerLeftMs(): number
  /** Options for calls that prepare a segment. */
  preparing(): CallOptions
  /** Options for calls that are the segment itself: a cancellation does not abort them. */
  acting(): CallOptions
}
