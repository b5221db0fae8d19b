/** The possible results of delivering one segment, by any route. */

import type { OperatorRequest } from '../../../contracts/device/operator.ts'
import type { Outcome } from '../../../contracts/outcome.ts'
import type { DraftOwners } from '../../../device/files/host-drafts.ts'
import type { InteractiveCheck } from '../../../device/link/interactive.ts'
import { type Link, LinkError } from '../../../device/link/link.ts'
import { type LastLook, linkLost, type ResultWaitEnd } from '../../../device/operators/app/session/log-waits.ts'
import type { DeviceSession } from '../../../device/operators/app/session/sessions.ts'
import { partOf, type SegmentResult } from '../../../device/operators/app/wire/merge.ts'
import type { MatchPattern } from '../../../device/screen/patterns/pattern.ts'
import type { ScreenHandover } from '../../../device/screen/screen-handover.ts'
import type { ChangeMemory } from '../../../device/settings/changes/change-memory.ts'
import { unlessAborted } from '../../../runtime/abortion.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Ids } from '../../../runtime/ids.ts'
import type { RecordDenial } from '../../policy/refuse.ts'
import type { ScreenMemory } from '../screens/screen-memory.ts'
import type { ScreenReader } from '../screens/screen-reader.ts'
import type { DispatchGate, FencedCode } from './dispatch-gate.ts'
import type { OperatorJob } from './job.ts'

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
  | FencedCode
  | 'JOURNAL_UNAVAILABLE'
  | 'OPERATOR_NOT_INSTALLED'
  | 'OPERATOR_START_FAILED'

export interface RefusedSegment {
  kind: 'not sent'
  code: RefusalCode
  message: string
}

/** One execution and all that it runs with. */
export interface ExecutionRun {
  executionId: string
  job: OperatorJob
  session: DeviceSession
  control: DispatchGate
  clock: Clock
  checkInteractive: InteractiveCheck & { forget(link: Link): void }
  screens: ScreenMemory
  changes: ChangeMemory
  reader: ScreenReader
  matchPattern: MatchPattern
  /** Between the steps of this execution. */
  handover?: ScreenHandover | undefined
  ids: Ids
  random(): number
  recordDenial: RecordDenial
  /** The processes of this machine unless told. */
  draftOwners?: DraftOwners | undefined
}

/** One segment on its way to an operator app. */
export interface SegmentJob {
  session: DeviceSession
  clock: Clock
  control: DispatchGate
  operatorPackage: string
  segment: number
  request: OperatorRequest
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
