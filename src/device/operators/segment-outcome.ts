/** The possible results of delivering one segment, by any route. */

import type { OperatorRequest } from '../../contracts/device/operator.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import type { Outcome } from '../../contracts/outcome.ts'
import { unlessAborted } from '../../runtime/abortion.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { LinkError } from '../link/link.ts'
import { type LastLook, linkLost, type ResultWaitEnd } from './app/session/log-waits.ts'
import type { DeviceSession } from './app/session/sessions.ts'
import { partOf, type SegmentResult } from './app/wire/merge.ts'
import type { OnStepEnd } from './app/wire/progress.ts'
import type { DispatchGate, SegmentRecord } from './segment-run.ts'

/** The machine wants no more of it. */
interface Stopped {
  code: 'STOPPED'
}

export type SegmentOutcome =
  | Outcome<
      { part: SegmentResult },
      Stopped,
      | Stopped
      | { code: 'DEVICE_OUTPUT_TOO_LARGE'; reason: string }
      | { code: 'RESULT_ENVELOPE_TIMEOUT'; lastLogLines: string[] }
    >
  | RefusedSegment
  | Exclude<ResultWaitEnd, { kind: 'done' }>

export const STOPPED = { kind: 'not sent', code: 'STOPPED' } as const

/** A segment that brought no part. */
export type UndoneSegment = Exclude<SegmentOutcome, { kind: 'done' }>

type RefusalCode =
  | 'ADB_NOT_FOUND'
  | 'ADB_SERVER_FAILED'
  | 'BROADCAST_FAILED'
  | 'DEVICE_LINK_LOST'
  | 'DEVICE_OFFLINE'
  | 'DEVICE_OUTPUT_TOO_LARGE'
  | 'DEVICE_SHELL_UNAVAILABLE'
  | 'DEVICE_UNAUTHORIZED'
  | 'FLEET_HOST_GONE'
  | 'FLEET_UNREACHABLE'
  | 'JOURNAL_UNAVAILABLE'
  | 'OPERATOR_NOT_INSTALLED'
  | 'OPERATOR_START_FAILED'

export interface RefusedSegment {
  kind: 'not sent'
  code: RefusalCode
  message: string
}

/** One segment on its way to an operator app. */
export interface SegmentJob {
  session: DeviceSession
  clock: Clock
  control: DispatchGate
  operatorPackage: string
  segment: number
  /** How the operator can be asked for the segment later. */
  asked: SegmentRecord
  request: OperatorRequest
  /** Left out where nobody listens. */
  onStepEnd?: OnStepEnd | undefined
}

/** The machine waits LATE_ANSWER_MS for an answer that is overdue: so long for a late result, so long for the last look. */
const LATE_RESULT_MS = 500
export const LAST_LOOK_MS = 450

/** The result if it comes while the machine still waits; undefined when it does not, or is not wanted any more. */
export const inTime = async <T>(result: Promise<T>, { control, clock }: Pick<SegmentJob, 'control' | 'clock'>) => {
  const ended = await unlessAborted(result, control.end)
  if (ended !== undefined || !control.isOverdue()) return ended
  return Promise.race([result, pause(clock, LATE_RESULT_MS).then(() => undefined)])
}

export const partDelivered = (ending: ResultWaitEnd): SegmentOutcome =>
  ending.kind === 'done' ? { kind: 'done', part: partOf(ending.envelope) } : ending

export const lastLookDelivered = ({ result, reachable, lines }: LastLook): SegmentOutcome => {
  if (result) return partDelivered(result)
  return reachable
    ? { kind: 'unknown', code: 'RESULT_ENVELOPE_TIMEOUT', lastLogLines: lines }
    : linkLost('the link to the device broke, and the device log could not be read again')
}

/** The refusal of a host that may no longer act on the phone. */
export const refusalIn = (error: ErrorObject | undefined): RefusedSegment | undefined =>
  error && {
    kind: 'not sent',
    code: error.code === 'FLEET_UNREACHABLE' ? error.code : 'FLEET_HOST_GONE',
    message: error.message,
  }

/** How a call failed before anything of the segment could be acted on. */
export const refusalOf = (error: unknown): RefusedSegment => {
  if (!(error instanceof LinkError)) throw error
  switch (error.code) {
    case 'LINK_TIMEOUT':
    case 'LINK_SOCKET_REFUSED':
      return { kind: 'not sent', code: 'DEVICE_SHELL_UNAVAILABLE', message: error.message }
    case 'LINK_COMMAND_TOO_LONG':
      return { kind: 'not sent', code: 'BROADCAST_FAILED', message: error.message }
    // The device was there when it was chosen.
    case 'DEVICE_NOT_FOUND':
    case 'LINK_CANCELLED':
      return { kind: 'not sent', code: 'DEVICE_LINK_LOST', message: error.message }
    default:
      return { kind: 'not sent', code: error.code, message: error.message }
  }
}

/** The same for a segment that had left already: what it did is not known. */
export const lossOf = (error: unknown): SegmentOutcome => {
  if (!(error instanceof LinkError)) throw error
  const { code, message: reason } = error
  return { kind: 'unknown', code: code === 'DEVICE_OUTPUT_TOO_LARGE' ? code : 'DEVICE_LINK_LOST', reason }
}
