/** The order of an execution, from the surface that takes it to the record of its device, and how it ended. */

import type { ScreenOptions } from '../../contracts/device/screen.ts'
import type { Execution } from '../../contracts/executions/execution.ts'
import type { ExecutionResult } from '../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { Caller } from '../../contracts/policy.ts'
import type { IdempotencyKey } from '../../runtime/journal/journal.ts'
import type { ScreenshotPolicy } from './dispatch.ts'
import type { Claim } from './fence.ts'

export interface WaitingPlace {
  executionId: string
  deviceId: string
  place: number
}

/** The epoch is the one under which the host that sent it took this one for the owner of the phone. */
export interface ExecutionOrder extends Omit<Claim, 'serial'> {
  /** Validated and canonical. */
  execution: Execution
  /** The execution as the caller sent it, for listeners of events, where that differs from `execution`. */
  input?: unknown
  /** Blank counts as not given. */
  deviceId?: string | undefined
  /** Left out when the caller named none: then this process or the device decides. Null: the device does. */
  operatorPackage?: string | null | undefined
  screenshots: ScreenshotPolicy
  /** The folders below which it may name files of the host; left out for a caller who may name any. */
  fileRoots?: readonly string[] | undefined
  /** The digest of the paths that whoever sent the execution has taken out of it. */
  picturePaths?: string | undefined
  skillRunId?: string | undefined
  /** The caller's wishes about the screen; undefined for none. */
  view?: ScreenOptions | undefined
  /** By which way it came, `cli` unless told; its skill run makes what is not `http` the skill's while it is in flight. */
  caller?: Exclude<Caller, 'skill'> | undefined
  /** The rules of the policy to which a person has said yes. */
  confirmed?: readonly string[] | undefined
  /** Nobody asked for it: a refusal of the policy is not recorded. */
  isFollowUp?: true | undefined
  /** The execution whose remaining steps these are. */
  resumes?: string | undefined
  /** Asked at each attempt, once the device can be had: more may be known by then of what the order is based on. */
  refusal?: (() => Promise<ErrorObject | undefined>) | undefined
  idempotency?: IdempotencyKey | undefined
  /** Chosen by the caller; `executeAs` sees to it that it is used once. */
  executionId?: string | undefined
  /** The listener it came through. */
  listener?: string | undefined
  /** When the caller stops waiting, by `clock.elapsed()`: by then it is answered, and later nothing is sent. */
  answerBy?: number | undefined
  /** Hears under which id it is filed, and on which device, before it is recorded. */
  onRequested?: ((requested: { executionId: string; deviceId: string }) => void) | undefined
  /**
   * The caller cancels: before the dispatch nothing is sent, after it the execution is cancelled as by `cancel`. A caller
   * that only stops waiting has no signal here, and cancels nothing.
   */
  cancel?: AbortSignal | undefined
  /** Hears its place in the queue of the device, where it waits: 1 for the one whose turn is next. */
  onPlace?: ((waiting: WaitingPlace) => void) | undefined
  /** The reservation that it belongs to: it runs only while that one holds the phone. */
  leaseId?: string | undefined
  /** How long it may wait for a device that is busy; without it a busy device refuses at once. */
  waitMs?: number | undefined
  /** Aborted when nobody hears the answer any more: takes it out of the queue, and cancels nothing that was accepted. */
  leave?: AbortSignal | undefined
  /** Its turn in the queue has come. */
  waited?: true | undefined
}

export interface Executed {
  result: ExecutionResult
  /** Present once the execution was accepted, or may have been. */
  executionId?: string
  /** Present once the device is known. */
  deviceId?: string
}
