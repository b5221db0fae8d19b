/** Answers to requests that wait for a device and are not accepted, and to those that others wait before. */

import { inTurn, type WaitingExecution } from '../../../../machines/device/device-queue.ts'
import type { LeftBecause } from '../../../contracts/events/device.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import { leaseIdIn, userOf } from '../../../contracts/reservation-grant.ts'
import type { QueueView } from './waiting-room.ts'

interface AfterWait {
  executionId: string
  deviceId: string
  why: LeftBecause
  waitedMs: number
}

const WHY_WAITED: Readonly<Partial<Record<LeftBecause, string>>> = {
  gone: 'This process ended while the request waited',
  missed: 'The device was free, and the request did not take it in time',
}

const requests = (count: number) => (count === 1 ? 'one request was' : `${count} requests were`)

/** The answer to a request that waited and was never accepted: how long, and behind whom. */
export const conflictAfterWait = (
  { why, waitedMs, ...self }: AfterWait,
  { current, queue, reserved }: QueueView,
  ownPid: number,
): ErrorObject => {
  const place = queue.findIndex(({ executionId }) => executionId === self.executionId)
  const entry = queue[place]
  const by = reserved && leaseIdIn(reserved)
  // The reservation is what it waits for, whoever waits before it.
  const isReserved = by !== undefined && entry !== undefined && entry.leaseId !== by
  const before = inTurn(queue.slice(0, Math.max(0, place)), isReserved ? undefined : by)
  const [first] = before
  const { executionId, commandId, acceptedAt: since } = current ?? first ?? {}
  const holder = isReserved
    ? { pid: reserved?.holder.pid, since: reserved?.since, leaseId: by, ...(reserved ? userOf(reserved) : {}) }
    : { pid: current ? ownPid : first?.holder.pid, executionId, commandId, since }
  const details = {
    ...self,
    waitedMs,
    dispatched: false,
    before: before.length,
    ...(executionId === undefined && !isReserved ? {} : { holder }),
  }
  const ended = WHY_WAITED[why] ?? `Device ${self.deviceId} did not become free`
  const behind = [
    ...(isReserved ? [`it is reserved by lease ${by}`] : []),
    ...(current ? [`execution ${current.executionId} (${current.commandId}) has the device`] : []),
    ...(before.length > 0 ? [`${requests(before.length)} before this one`] : []),
  ]
  const cause = behind.length === 0 ? '' : `: ${behind.join(', and ')}`
  return failure(
    why === 'gone' ? 'EXECUTION_INTERRUPTED' : 'EXECUTION_CONFLICT_IN_FLIGHT',
    `${ended}; it waited ${waitedMs} ms${cause}. Nothing was sent to the device.`,
    { details, hint: 'It was never accepted: send it again with a longer `waitMs`, or cancel what runs.' },
  )
}

/** The device is free, and for the first that waits for it. */
export const conflictWithQueue = (deviceId: string, first: WaitingExecution): ErrorObject => {
  const { executionId, commandId, acceptedAt: since, holder } = first
  return failure(
    'EXECUTION_CONFLICT_IN_FLIGHT',
    `Other requests wait for device ${deviceId}, and come first: execution ${executionId} (${commandId}) since ${new Date(since).toISOString()}.`,
    {
      details: { deviceId, holder: { pid: holder.pid, executionId, commandId, since } },
      hint: 'Wait for the device too, behind them, with `waitMs`.',
    },
  )
}
