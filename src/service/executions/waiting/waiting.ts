/**
 * Waiting for a device that is busy, first come first served: a request is recorded in the queue of the device, and takes
 * the device when it is the first and the device is free.
 */

import { leftResult, placeIn } from '../../../../machines/device/device-queue.ts'
import type { LeftBecause } from '../../../contracts/events/device.ts'
import type { ExecutionResult } from '../../../contracts/executions/execution-result.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { WAITING_MAX } from '../../../contracts/limits/limits.ts'
import { leaseIdIn } from '../../../contracts/reservation-grant.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Host } from '../../../runtime/host.ts'
import { asJournalError, JournalError } from '../../../runtime/journal/fault.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { isSettled } from '../../../runtime/journal/receipts.ts'
import { queueFull } from '../../reservations/reserve-refusals.ts'
import type { Executed, ExecutionOrder } from '../order.ts'
import { unanswered } from '../refusals.ts'
import { conflictAfterWait } from './waiting-answers.ts'
import { deviceTarget, type QueueView, type WaitingRoom, type WaitingRooms } from './waiting-room.ts'

/** A request that found its device busy. */
export interface WaitingRequest extends ExecutionOrder {
  executionId: string
  waitMs: number
}

/** The first attempt at a device, which was refused. */
export interface RefusedAttempt {
  executed: Executed
  busy: BusyDevice
}

export interface BusyDevice {
  deviceId: string
  /** The key under which it is owned. */
  ownershipKey: string
  /** Nobody has it: it is for those that wait. */
  isPromised?: boolean
}

/** `busy` is set where another execution has the device, or others wait for it: then nothing was recorded. */
export interface Attempt {
  executed: Executed
  busy?: BusyDevice | undefined
}

export interface WaitingOptions {
  host: Host
  journal: Pick<Journal, 'receipt'>
  clock: Clock
  rooms: WaitingRooms
}

/** The wait of a caller with a bound ends so long before nothing could be sent any more. */
const SEND_MS = 500
/** How often, and for how long, it is tried to record that a request has left. */
const AGAIN_MS = 1_000
const AGAIN_TIMES = 60

export const createWaiting = ({ host, journal, clock, rooms }: WaitingOptions) => {
  /** Nothing acts, whether it is recorded or not: this process alone could take the device for it. */
  const leaveQueue = async (
    { executionId, deviceId }: { executionId: string; deviceId: string },
    why: LeftBecause,
    result?: ExecutionResult,
  ): Promise<void> => {
    const event = { type: 'execution.left', executionId, why, ...(result ? { body: result } : {}) }
    const leave = () => host.appendAsGuest(deviceTarget(deviceId), event)
    const isStopped = new AbortController()
    const again = async () => {
      const stopListening = host.onStop(async () => isStopped.abort())
      for (let times = 0; times < AGAIN_TIMES && !isStopped.signal.aborted; times += 1) {
        await pause(clock, AGAIN_MS, isStopped.signal)
        const isLeft = await leave().then(
          () => true,
          () => false,
        )
        if (isLeft) break
      }
      stopListening()
    }
    await leave().catch(() => void again())
  }

  const entryOf = ({ queue }: QueueView, id: string) => queue.find(({ executionId }) => executionId === id)

  /** Resolves to what ended the wait, or to undefined when something has changed. */
  const nextChange = async (room: WaitingRoom, ended: Promise<LeftBecause>): Promise<LeftBecause | undefined> =>
    Promise.race([room.change().then(() => undefined), ended])

  return async (
    request: WaitingRequest,
    { executed: refused, busy: { deviceId, ownershipKey } }: RefusedAttempt,
    attempt: (request: ExecutionOrder) => Promise<Attempt>,
  ): Promise<Executed> => {
    const { execution, executionId, skillRunId, resumes, idempotency, leaseId, cancel, leave } = request
    const { commandId, taskId, timeoutMs } = execution
    const [began, since] = [clock.elapsed(), clock.now()]
    const boundMs = (request.answerBy ?? Number.POSITIVE_INFINITY) - timeoutMs - SEND_MS - began
    const waitMs = Math.floor(Math.min(request.waitMs, boundMs))
    const self = { executionId, deviceId }
    const refuse = (error: ErrorObject): Executed => ({ deviceId, result: { ok: false, error } })
    const { room, leave: leaveRoom } = rooms.enter(deviceId, ownershipKey)

    const answerFor = (why: LeftBecause): Executed => {
      const waitedMs = Math.round(clock.elapsed() - began)
      if (why === 'cancelled')
        return { deviceId, result: leftResult({ ...self, commandId, acceptedAt: since, holder: host.holder }, why) }
      return refuse(conflictAfterWait({ ...self, why, waitedMs }, room.view(), host.holder.pid))
    }

    /** Somebody else took the request out of the queue: the receipt says why. */
    const takenOut = (): Executed => {
      const receipt = journal.receipt(executionId)
      if (receipt && isSettled(receipt) && receipt.result) return { deviceId, result: receipt.result }
      return answerFor('missed')
    }

    let tell: (why: LeftBecause) => void = () => {}
    const ended = new Promise<LeftBecause>(resolve => {
      tell = resolve
    })
    let over: LeftBecause | undefined
    const end = (why: LeftBecause) => {
      over ??= why
      tell(why)
    }
    const onCancel = () => end('cancelled')
    const timer = clock.at(clock.now() + Math.max(0, waitMs), () => end('overdue'))
    let settle = () => {}
    const settled = new Promise<void>(resolve => {
      settle = resolve
    })
    const stopListening = host.onStop(() => {
      end('gone')
      return settled
    })
    cancel?.addEventListener('abort', onCancel, { once: true })
    leave?.addEventListener('abort', onCancel, { once: true })
    if (cancel?.aborted || leave?.aborted) onCancel()

    const left = async (why: LeftBecause): Promise<Executed> => {
      const executed = answerFor(why)
      await leaveQueue(self, why, executed.result)
      // The record decides: somebody else may have ended the wait before.
      const receipt = journal.receipt(executionId)
      return receipt?.result && isSettled(receipt) ? { deviceId, result: receipt.result } : executed
    }

    const tellPlace = ({ queue }: QueueView) => {
      const place = placeIn(queue, executionId)
      if (place === lastPlace) return
      lastPlace = place
      if (place !== undefined) request.onPlace?.({ ...self, place })
    }
    let lastPlace: number | undefined

    let isQueued = false
    const wait = async (): Promise<Executed> => {
      if (waitMs <= 0) return answerFor('overdue')
      if (over) return answerFor(over)
      // Another process was first to use the id.
      if (journal.receipt(executionId)) return takenOut()
      if (room.look().queue.length >= WAITING_MAX) return refuse(queueFull(deviceId, WAITING_MAX))
      await host.appendAsGuest(deviceTarget(deviceId), {
        type: 'execution.queued',
        ...{ executionId, commandId, taskId, deviceId, waitMs, holder: host.holder },
        ...(skillRunId === undefined ? {} : { skillRunId }),
        ...(resumes === undefined ? {} : { resumes }),
        ...(idempotency === undefined ? {} : { idempotency }),
        ...(leaseId === undefined ? {} : { leaseId }),
      })
      const ownEntry = entryOf(room.look(), executionId)
      if (!ownEntry && journal.receipt(executionId) === undefined) return refuse(queueFull(deviceId, WAITING_MAX))
      if (ownEntry && ownEntry.holder.instance !== host.holder.instance)
        throw new JournalError('key-used', `The id ${executionId} waits in another process`)
      isQueued = true
      request.onRequested?.(self)
      for (;;) {
        if (over) return left(over)
        const change = nextChange(room, ended)
        const view = room.view()
        if (!entryOf(view, executionId)) return takenOut()
        tellPlace(view)
        // A request whose reservation is over is refused at once, and not when its turn comes.
        const isUnheld = leaseId !== undefined && (view.reserved && leaseIdIn(view.reserved)) !== leaseId
        if (isUnheld || view.next?.executionId === executionId) {
          const { executed, busy } = await attempt({ ...request, waited: true })
          if (executed.executionId !== undefined) return executed
          if (over) return left(over)
          if (!busy) {
            await leaveQueue(self, 'refused', executed.result)
            return executed
          }
        }
        await change
      }
    }

    try {
      return await wait()
    } catch (thrown) {
      const error = asJournalError(thrown)
      // The process that has the device is of a version without a queue.
      if (!isQueued && error.reason === 'fenced') return refused
      if (isQueued) void leaveQueue(self, 'refused')
      return refuse(unanswered({ kind: 'unrecorded', error }, executionId, journal))
    } finally {
      settle()
      stopListening()
      timer.cancel()
      cancel?.removeEventListener('abort', onCancel)
      leave?.removeEventListener('abort', onCancel)
      leaveRoom()
    }
  }
}

export type Waiting = ReturnType<typeof createWaiting>
