/** The phones of a run of flows, as the runner asks them: through executions, on this host or at another one of a fleet. */

import type { EnvelopeError, StepResult } from '../../contracts/executions/execution-result.ts'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'

/** One action of an execution; the id is given by its position. */
export interface PhoneStep {
  readonly type: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface PhoneCall {
  readonly deviceId: string
  /** Chosen and recorded by the caller before it asks. */
  readonly executionId: string
  readonly flowRunId: string
  readonly steps: readonly PhoneStep[]
  readonly timeoutMs: number
  /** True keeps the screen after it. */
  readonly observe: boolean
  /** Aborted when the attempt is cancelled. */
  readonly signal: AbortSignal
}

export type PhoneAnswer =
  /** With `error`, the step that failed is the last one. */
  | { readonly kind: 'performed'; readonly steps: readonly StepResult[]; readonly error?: EnvelopeError | undefined }
  /** No envelope: a refusal, or nobody knows what has happened. */
  | { readonly kind: 'unperformed'; readonly error: ErrorObject }

export type Video =
  | {
      readonly ok: true
      readonly recordingId: string
      /** The files of its segments on this host, in order. */
      readonly files: readonly string[]
    }
  | { readonly ok: false; readonly error: ErrorObject }

export type PhoneSettings =
  | { readonly ok: true; readonly settings: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: ErrorObject }

/** An attempt reaches its phone by these functions. */
export interface Phones {
  perform(call: PhoneCall): Promise<PhoneAnswer>
  /** Rejects where nobody can tell; undefined where no execution has this id. */
  receipt(executionId: string): Promise<Receipt | undefined>
  /** The values of settings as `GET /devices/<id>/settings` has them. */
  settings(deviceId: string, signal: AbortSignal): Promise<PhoneSettings>
  startRecording(deviceId: string, flowRunId: string, signal: AbortSignal): Promise<ErrorObject | undefined>
  /** The recording that this attempt began, and no other one. */
  stopRecording(deviceId: string, flowRunId: string): Promise<Video>
  /** The latest lines of the log, for the report of a failure. */
  logLines(deviceId: string, since: number, signal: AbortSignal): Promise<readonly string[]>
}

export interface ListedPhone {
  readonly deviceId: string
  readonly serial: string
  /** The same for every serial under which a phone is listed. */
  readonly phone: string
  /**
   * `reserved` by another caller than a flow; `away` while it cannot be used. One that is `unidentified` has not told which
   * phone it is: it may be any of the others, so it takes no flow and is not counted.
   */
  readonly state: 'free' | 'reserved' | 'away' | 'unidentified'
  /** The words tell whose the reservation is. */
  readonly reservation?: string | undefined
}

/** A phone that is kept for one attempt. */
export interface KeptPhone {
  readonly ok: true
  /** Its requests belong to the reservation. */
  readonly phones: Phones
  extend(): Promise<void>
  /** False where it may still be kept: then it ends by itself, when nobody extends it. */
  release(): Promise<boolean>
}

export interface PhonePool extends Phones {
  /** Rejects where nobody can list them. With `leaseId`, the phone of that reservation is free. */
  list(signal: AbortSignal, leaseId?: string): Promise<readonly ListedPhone[]>
  /** Keeps everybody else from beginning anything on the phone, whichever serial they name it by. */
  reserve(wanted: {
    deviceId: string
    flowRunId: string
    /** Waits so long for a phone that is busy. */
    waitMs: number
    signal: AbortSignal
  }): Promise<KeptPhone | { readonly ok: false; readonly error: ErrorObject }>
}

/** Codes after which the phone cannot be used by the rest of an attempt. */
const LOST: readonly string[] = [
  'DEVICE_LINK_LOST',
  'DEVICE_NOT_FOUND',
  'DEVICE_OFFLINE',
  'DEVICE_UNAUTHORIZED',
  'DEVICE_SHELL_UNAVAILABLE',
  'FLEET_HOST_GONE',
  'NO_DEVICES',
]

export const isLostPhone = (code: string): boolean => LOST.includes(code)
