/** Cancelling what another process runs: a request on record, which the owner looks for while it has work in flight. */
import type { DeviceEmitted } from '../../machines/device-setup.ts'
import { createLogWriter, type LogWriterOptions } from '../runtime/append-record.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'

/** Not a machine: one record, which says that somebody wants the execution to end. */
const CANCEL_MACHINE = 'cancel'
const actorOf = (executionId: string) => `${CANCEL_MACHINE}:${executionId}`
const LOOK_MS = 200

export type RequestCancel = (executionId: string) => Promise<void>

/** The request rejects with JournalError. Asking twice is asking once. */
export const createRequestCancel = (options: LogWriterOptions): RequestCancel => {
  const log = createLogWriter(options)
  return async executionId => {
    await log.append({
      actor: actorOf(executionId),
      machine: CANCEL_MACHINE,
      state: 'requested',
      event: { type: 'cancel.requested', executionId },
      isSaidBy: () => true,
    })
  }
}

export interface CancelRequestsOptions {
  host: Pick<Host, 'onEmitted'>
  journal: Pick<Journal, 'last'>
  clock: Clock
  cancel: (executionId: string, deviceId: string) => unknown
}

/** Honours the requests for what this process runs. */
export const honourCancelRequests = ({ host, journal, clock, cancel }: CancelRequestsOptions): void => {
  /** What each device actor runs: one execution at a time, so an answer that never comes leaves no more than that. */
  const running = new Map<string, string>()
  let isWaiting = false

  const isRequested = (executionId: string): boolean => {
    try {
      return journal.last(actorOf(executionId)) !== undefined
    } catch {
      return false
    }
  }
  const look = () => {
    isWaiting = false
    for (const [actor, executionId] of running) {
      if (!isRequested(executionId)) continue
      running.delete(actor)
      cancel(executionId, actor)
    }
    wait()
  }
  const wait = () => {
    if (isWaiting || running.size === 0) return
    isWaiting = true
    clock.at(clock.now() + LOOK_MS, look, { idle: true })
  }

  host.onEmitted((actor, emitted) => {
    const { type, executionId } = emitted as DeviceEmitted
    if (type === 'execution.accepted') {
      running.set(actor, executionId)
      wait()
    } else if (type === 'execution.answered' && running.get(actor) === executionId) running.delete(actor)
  })
}
