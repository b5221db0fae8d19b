/** Answers to requests for a phone that others have. */

import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import { WAITING_MAX } from '../../contracts/limits/limits.ts'
import { isReservation } from '../../contracts/reservation-grant.ts'
import { type ReservationSource, reservedConflict } from './read-reservation.ts'
import type { Reserved, ReserveRequest } from './reserve.ts'

type Refused = Exclude<Reserved, { kind: 'reserved' } | { kind: 'unrecorded' }>

const timeOf = (at: number): string => new Date(at).toISOString()

/** Work that is in flight: an execution by its id, or what else a process does with the phone. */
const busyWith = (
  { holder, since, note }: Extract<Refused, { kind: 'held' }>['grant'],
  deviceId: string,
): ErrorObject => {
  const { executionId, commandId } = note
  const named = typeof executionId === 'string' ? `execution ${executionId}` : `process ${holder.pid}`
  return failure('EXECUTION_CONFLICT_IN_FLIGHT', `Device ${deviceId} is busy with ${named} since ${timeOf(since)}.`, {
    details: { deviceId, holder: { pid: holder.pid, executionId, commandId, since } },
    hint: 'Wait for the device with `waitMs`: nothing new begins on it then, and it is reserved when that has ended.',
  })
}

/** For an execution and for a reservation alike. */
export const queueFull = (deviceId: string, most: number): ErrorObject =>
  failure('EXECUTION_CONFLICT_IN_FLIGHT', `${most} requests wait for device ${deviceId} already, which is the most.`, {
    details: { deviceId, waiting: most, dispatched: false },
    hint: 'Send it again when fewer wait, or to another device.',
  })

/** Without a device, for a request that waits for any. */
export const processEnds = (deviceId?: string): ErrorObject =>
  failure(
    'EXECUTION_INTERRUPTED',
    `The process that was to reserve ${deviceId ?? 'a device'} ends; nothing is reserved.`,
    { details: { ...(deviceId === undefined ? {} : { deviceId }), dispatched: false } },
  )

export const reserveRefusal = (
  refused: Refused,
  { deviceId, waitMs, waitedMs }: ReserveRequest & { waitedMs: number },
  source: ReservationSource,
): ErrorObject => {
  const waited = <E extends ErrorObject>(error: E): E =>
    waitMs === 0
      ? error
      : {
          ...error,
          message: `${error.message} It was waited for ${waitedMs} ms.`,
          details: { ...error.details, waitedMs },
        }
  if (refused.kind === 'left') {
    return refused.why === 'cancelled'
      ? failure('EXECUTION_CANCELLED', `The request to reserve ${deviceId} was cancelled; nothing is reserved.`, {
          details: { deviceId, dispatched: false },
        })
      : processEnds(deviceId)
  }
  if (refused.kind === 'full') return queueFull(deviceId, WAITING_MAX)
  if (refused.kind === 'behind') {
    const { leaseId, since, holder } = refused.first
    return waited(
      failure('EXECUTION_CONFLICT_IN_FLIGHT', `Other requests wait to reserve device ${deviceId}, and come first.`, {
        details: { deviceId, holder: { pid: holder?.pid, since, leaseId } },
        hint: 'Wait for the device too, behind them, with `waitMs`.',
      }),
    )
  }
  const { grant } = refused
  return waited(isReservation(grant) ? reservedConflict(deviceId, grant, source) : busyWith(grant, deviceId))
}
