/** What one segment can come to, whichever way it is delivered. */
import { LinkError } from '../adb/link-error.ts'
import type { OperatorRequest } from '../contracts/operator.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Control } from './control.ts'
import type { OperatorJob } from './job.ts'
import type { LastLook } from './session/log-wait.ts'
import type { Ending } from './session/log-waits.ts'
import type { DeviceSession } from './session/sessions.ts'
import { type Part, partOf } from './wire/merge.ts'
import type { Malformed } from './wire/verdict.ts'

export type Delivery =
  | { kind: 'part'; part: Part }
  | Malformed
  /** Nothing of this segment was, or will be, acted on. */
  | Refusal
  /** It may have been acted on, and the device cannot be asked. */
  | { kind: 'lost'; reason: string }
  /** It may have been acted on, and no result came in time. */
  | { kind: 'silent'; lastLogLines: string[] }
  /** The machine wants no more of it. */
  | { kind: 'stopped' }

export type RefusalCode =
  | 'ADB_NOT_FOUND'
  | 'ADB_SERVER_FAILED'
  | 'BROADCAST_FAILED'
  | 'DEVICE_LINK_LOST'
  | 'DEVICE_OFFLINE'
  | 'DEVICE_SHELL_UNAVAILABLE'
  | 'DEVICE_UNAUTHORIZED'
  | 'JOURNAL_UNAVAILABLE'
  | 'OPERATOR_NOT_INSTALLED'

export interface Refusal {
  kind: 'refused'
  code: RefusalCode
  message: string
}

/** One execution and all that it runs with. */
export interface ExecutionRun {
  executionId: string
  job: OperatorJob
  session: DeviceSession
  control: Control
  clock: Clock
}

/** One segment on its way to an operator app. */
export interface Errand {
  session: DeviceSession
  clock: Clock
  control: Control
  operatorPackage: string
  segment: number
  request: OperatorRequest
}

/** How long the last look may take: the machine waits two seconds for an answer that is overdue. */
export const LAST_LOOK_MS = 1_000

export const partDelivered = (ending: Ending): Delivery =>
  ending.kind === 'envelope' ? { kind: 'part', part: partOf(ending.envelope) } : ending

export const lastLookDelivered = ({ verdict, reachable, lines }: LastLook): Delivery => {
  if (verdict) return partDelivered(verdict)
  return reachable
    ? { kind: 'silent', lastLogLines: lines }
    : { kind: 'lost', reason: 'the link to the device broke, and the device log could not be read again' }
}

/** How a call failed before anything of the segment could be acted on. */
export const refusalOf = (error: unknown): Refusal => {
  if (!(error instanceof LinkError)) throw error
  switch (error.code) {
    case 'LINK_TIMEOUT':
    case 'LINK_SOCKET_REFUSED':
      return { kind: 'refused', code: 'DEVICE_SHELL_UNAVAILABLE', message: error.message }
    case 'LINK_COMMAND_TOO_LONG':
      return { kind: 'refused', code: 'BROADCAST_FAILED', message: error.message }
    // It was there when it was chosen.
    case 'DEVICE_NOT_FOUND':
    case 'LINK_CANCELLED':
      return { kind: 'refused', code: 'DEVICE_LINK_LOST', message: error.message }
    default:
      return { kind: 'refused', code: error.code, message: error.message }
  }
}

/** The same for a segment that had left already: what it did is not known. */
export const lossOf = (error: unknown): Delivery => {
  if (!(error instanceof LinkError)) throw error
  return { kind: 'lost', reason: error.message }
}
