/**
 * The job of the operator: the body of `execution.requested`, the segments that its steps are cut into, and the
 * request for each of those.
 */

import { isOpenedByHost } from '../../../contracts/actions/app.ts'
import { HOST_ACTION_TYPES, HOST_GESTURE_TYPES, type OperatorRequest } from '../../../contracts/device/operator.ts'
import type { Action } from '../../../contracts/executions/action.ts'
import type { Execution } from '../../../contracts/executions/execution.ts'
import { isOperatorKey } from '../../../contracts/executions/key-names.ts'
import { EXECUTION_TIMEOUT_MS, NONCE_HEX_CHARS, OPERATOR_PROTOCOL } from '../../../contracts/limits/limits.ts'
import type { Policy } from '../../../contracts/policy.ts'
import type { Ids } from '../../../runtime/ids.ts'
import type { PolicyFacts } from '../../policy/evaluate-policy.ts'

export interface ScreenView {
  /** The key of the device's lease, under which its screens are numbered. */
  device: string
  /** Snapshots are answered in compact lines. */
  isCompact: boolean
  /** The execution whose screen the changes are compared to. */
  since?: string | undefined
  /** The screen is described once the steps are over. */
  isObserved: boolean
}

export interface OperatorJob {
  /** Canonical: validated, aliases resolved, defaults filled in. */
  execution: Execution
  /** The name as the caller gave it, in any form. */
  operatorPackage: string
  /** The serial by which the debug bridge lists the device; the `deviceId` of the answer. */
  serial: string
  screenshots: ScreenshotPolicy
  /** The folders below which it may name files of the host; left out for a caller who may name any. */
  fileRoots?: readonly string[] | undefined
  /** The key under which the phone is owned; absent in what earlier versions recorded. */
  phone?: string | undefined
  /** Under which the host owned the phone when it was accepted, and whether another host of the fleet sent it. */
  epoch?: number | undefined
  isSent?: boolean | undefined
  /** Left out when neither refs nor anything else of it was asked for. */
  view?: ScreenView | undefined
  /** Left out when no rule asks which application is in front. */
  inFront?: ForegroundPolicy | undefined
  /** The policy does not let the caller see the screen, or it depends on an application for which nobody asks. */
  isScreenHidden?: true | undefined
}

/** The part of the policy that depends on the application in front: asked again before each step that touches it. */
export interface ForegroundPolicy {
  policy: Policy
  facts: Pick<PolicyFacts, 'caller' | 'devices' | 'skill' | 'operator'>
  /** The rules to which a person has said yes. */
  confirmed: readonly string[]
}

/** The folders for screenshots, as absolute paths. */
export interface ScreenshotPolicy {
  /** The working directory of the caller, for relative paths. */
  relativeTo: string
  /** The folder for screenshots without a path; created when missing. */
  newFilesIn: string
  /** The home: files below it are of its user alone, wherever they were named. */
  ownerOnlyIn?: string | undefined
}

/** The body comes from this process's own code: what is checked is that it is a job at all. */
export const readJob = (body: unknown): OperatorJob => {
  const job = body as Partial<OperatorJob> | null | undefined
  if (
    typeof job?.serial !== 'string' ||
    typeof job.operatorPackage !== 'string' ||
    !Array.isArray(job.execution?.actions)
  ) {
    throw new TypeError('the execution was requested without a job for the operator')
  }
  return job as OperatorJob
}

export type HostAction = Extract<Action, { type: (typeof HOST_ACTION_TYPES)[number] | 'open_app' | 'open_uri' }>

/** The index counts both kinds, in the order of the list; it is the segment of `execution.dispatched` and of the wire id. */
export type Segment =
  | { kind: 'operator'; index: number; actions: readonly Action[] }
  | { kind: 'host'; index: number; action: HostAction | HostGesture }

/** Performed by the host over the link, on the screen as the operator sees it. */
export type HostGesture = Extract<Action, { type: (typeof HOST_GESTURE_TYPES)[number] | 'press_key' }>

export const isHostGesture = (action: Action): action is HostGesture =>
  action.type === 'press_key'
    ? action.params.longPress === true || !isOperatorKey(action.params.key)
    : HOST_GESTURE_TYPES.some(type => type === action.type)

export const isHostAction = (action: Action): action is HostAction | HostGesture =>
  isHostGesture(action) || isOpenedByHost(action) || HOST_ACTION_TYPES.some(type => type === action.type)

export const cutSegments = (actions: readonly Action[]): Segment[] => {
  const segments: Segment[] = []
  let together: Action[] = []
  for (const action of actions) {
    if (isHostAction(action)) {
      together = []
      segments.push({ kind: 'host', index: segments.length, action })
    } else {
      if (together.length === 0) segments.push({ kind: 'operator', index: segments.length, actions: together })
      together.push(action)
    }
  }
  return segments
}

/** The result that is waited for: only what carries both counts. */
export interface Awaited {
  wireId: string
  nonce: string
}

export const wireIdOf = (executionId: string, segment: number): string => `${executionId}.${segment}`

/** The random digits of a UUID: all but the dashes, its version and its variant. */
const randomHex = (uuid: string): string =>
  uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(15, 18) + uuid.slice(20, 23) + uuid.slice(24)

/** Node keeps random UUIDs in store; bytes asked for one by one are a call into the system each. */
export const freshNonce = (ids: Pick<Ids, 'instance'>): string =>
  (randomHex(ids.instance()) + randomHex(ids.instance())).slice(0, NONCE_HEX_CHARS)

interface SegmentRequest {
  execution: Execution
  actions: readonly Action[]
  awaited: Awaited
  /** The time left for the execution, so that a later segment does not act beyond it. */
  timeLeftMs: number
}

export const operatorRequest = ({ execution, actions, awaited, timeLeftMs }: SegmentRequest): OperatorRequest => ({
  ...execution,
  commandId: awaited.wireId,
  timeoutMs: Math.max(EXECUTION_TIMEOUT_MS.min, Math.min(execution.timeoutMs, Math.floor(timeLeftMs))),
  actions: [...actions],
  nonce: awaited.nonce,
  protocol: OPERATOR_PROTOCOL,
})
