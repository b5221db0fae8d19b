/** Answers executions that no device machine answered: conflicts, a failing journal, a caller that left. */

import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { DeviceEmitted } from '../../../machines/device/device-setup.ts'
import { wasDispatched } from '../../contracts/executions/in-doubt.ts'
import { RECEIPTS_HINT, receiptHint } from '../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { FAILURES, failure, isFailureCode } from '../../contracts/failures/failures.ts'
import type { Dispatched } from '../../contracts/outcome.ts'
import { LinkError } from '../../device/link/link.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AskResult, Host } from '../../runtime/host.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { isSettled } from '../../runtime/journal/receipts.ts'
import { conflictWithQueue } from './waiting/waiting-answers.ts'

// An execution of a device that another execution of this process holds is refused from memory, and in a crowd of callers no faster than leaves the process to the one that runs.

/** Undefined when no execution of this process holds the device: then the event that asks for it decides. */
export const conflictInMemory = (
  { snapshot, holder: { pid } }: Pick<Host, 'snapshot' | 'holder'>,
  deviceId: string,
): ErrorObject | undefined => {
  const actor = snapshot(`device:${deviceId}`)
  if (!actor?.hasTag(IN_FLIGHT)) return undefined
  const { executionId, commandId, acceptedAt: since = 0 } = actor.context.current ?? {}
  return conflictError(deviceId, { pid, executionId, commandId, since }, actor.matches({ running: 'draining' }))
}

/** The first refusals of a device are answered at once, up to this many. */
const AT_ONCE = 10
/** Each further one waits this long after the one before it: a caller that repeats at once costs as much as an execution. */
const APART_MS = 5
/** No refusal waits longer, however many there are. */
const WAIT_MAX_MS = 250

/** Says how many ms the next refusal of a device waits for its answer. */
export const createRefusalPace = (clock: Pick<Clock, 'elapsed'>): ((deviceId: string) => number) => {
  const lastAt = new Map<string, number>()
  return deviceId => {
    const now = clock.elapsed()
    const earliest = now - AT_ONCE * APART_MS
    const at = Math.min(Math.max(lastAt.get(deviceId) ?? earliest, earliest) + APART_MS, now + WAIT_MAX_MS)
    lastAt.set(deviceId, at)
    return Math.max(0, at - now)
  }
}

export interface EarlyCancellation {
  executionId?: string | undefined
  deviceId?: string | undefined
  /** The process that had the request, and since when. */
  holder?: { pid: number; executionId?: string | undefined; commandId: string; since: number }
}

/** The answer of an execution that was cancelled before the device machine had it. */
export const cancelledEarly = ({ executionId, deviceId, holder }: EarlyCancellation = {}): ErrorObject =>
  failure('EXECUTION_CANCELLED', 'The execution was cancelled; nothing was sent to the device.', {
    details: {
      ...(executionId === undefined ? {} : { executionId }),
      ...(deviceId?.trim() ? { deviceId } : {}),
      ...(holder === undefined ? {} : { holder }),
      dispatched: false,
    },
    hint:
      executionId === undefined
        ? 'To run it, send it again.'
        : 'Nothing runs under this id any more: to run it, send it again under a new id.',
  })

export const noReceipt = (executionId: string): ErrorObject =>
  failure('EXECUTION_NOT_FOUND', `No receipt has the id ${JSON.stringify(executionId)}.`, {
    details: { executionId },
    hint: RECEIPTS_HINT,
  })

/** The id was cancelled, and no request has come under it. */
export const cancelledAhead = (executionId: string): ErrorObject =>
  failure(
    'EXECUTION_NOT_FOUND',
    `No receipt has the id ${JSON.stringify(executionId)}; its cancellation is on record.`,
    {
      details: { executionId, cancelled: true },
      hint: 'A request that comes under this id runs nothing and is answered EXECUTION_CANCELLED.',
    },
  )

/** Nobody can be about to run the id, so nothing was done. */
export const notCancelled = (executionId: string): ErrorObject =>
  failure('EXECUTION_NOT_FOUND', `No receipt has the id ${JSON.stringify(executionId)}; nothing was recorded.`, {
    details: { executionId },
    hint: `An id can be cancelled before its request comes for one hour after it was made. ${RECEIPTS_HINT}`,
  })

/** Undefined as soon as the signal aborts. For work that only reads: it may go on unheard. */
export const unlessCancelled = async <T>(work: Promise<T>, cancel: AbortSignal | undefined): Promise<T | undefined> => {
  if (!cancel) return work
  let leave = () => {}
  const left = new Promise<undefined>(resolve => {
    leave = () => resolve(undefined)
  })
  cancel.addEventListener('abort', leave, { once: true })
  if (cancel.aborted) leave()
  try {
    const done = await Promise.race([work, left])
    return cancel.aborted ? undefined : done
  } finally {
    cancel.removeEventListener('abort', leave)
  }
}

export interface DeviceHolder {
  pid: number
  executionId: unknown
  commandId: unknown
  since: number
}

/** Names the execution, and since when it has the device, as far as that is known. */
const heldBy = ({ executionId, commandId, since, pid }: DeviceHolder): string => {
  const named = typeof executionId === 'string' ? `execution ${executionId}` : `process ${pid}`
  const command = typeof commandId === 'string' ? ` (${commandId})` : ''
  return `${named}${command}${since > 0 ? ` since ${new Date(since).toISOString()}` : ''}`
}

const cancelHint = ({ executionId }: DeviceHolder): string =>
  typeof executionId === 'string' ? `, or cancel that one with \`DELETE /executions/${executionId}\`` : ''

/** `isOver` says that the execution of the holder is settled: a cancelled one is before its device has finished it. */
const conflictError = (deviceId: string, holder: DeviceHolder, isOver: boolean): ErrorObject => {
  const details = { deviceId, holder }
  return isOver
    ? failure(
        'EXECUTION_CONFLICT_IN_FLIGHT',
        `Device ${deviceId} is still finishing ${heldBy(holder)}, which is settled already: it was cancelled, and the device may act until it answers.`,
        {
          details,
          hint: 'Wait for the device with `waitMs`: it is free when it has answered, or the timeoutMs of that execution has passed.',
        },
      )
    : failure('EXECUTION_CONFLICT_IN_FLIGHT', `Device ${deviceId} is busy with ${heldBy(holder)}.`, {
        details,
        hint: `Wait for the device with \`waitMs\`${cancelHint(holder)}, and repeat the request.`,
      })
}

const conflict = (deviceId: string, holder: DeviceHolder, journal: Pick<Journal, 'receipt'>): ErrorObject => {
  const { executionId } = holder
  const receipt = typeof executionId === 'string' ? receiptIn(journal, executionId) : undefined
  return conflictError(deviceId, holder, receipt !== undefined && isSettled(receipt))
}

/** The one who holds the device: an execution of this process, or, by its lease, of another one. */
export const conflictWith = (
  outcome: AskResult<DeviceEmitted>,
  deviceId: string,
  ownPid: number,
  journal: Pick<Journal, 'receipt'>,
): ErrorObject | undefined => {
  if (outcome.kind === 'held') {
    const { holder, since, note } = outcome.lease
    const { executionId, commandId } = note
    return conflict(deviceId, { pid: holder.pid, executionId, commandId, since }, journal)
  }
  if (outcome.kind !== 'answered' || outcome.emitted.type !== 'execution.refused') return undefined
  const { holder } = outcome.emitted
  const { executionId, commandId, acceptedAt: since = 0 } = holder ?? {}
  if (holder && 'waitMs' in holder) return conflictWithQueue(deviceId, holder)
  return conflict(deviceId, { pid: ownPid, executionId, commandId, since }, journal)
}

/** True when the device was free, and refused the request for those that wait. */
export const isForQueue = (outcome: AskResult<DeviceEmitted>): boolean =>
  outcome.kind === 'answered' &&
  outcome.emitted.type === 'execution.refused' &&
  outcome.emitted.holder !== null &&
  'waitMs' in outcome.emitted.holder

const receiptIn = (journal: Pick<Journal, 'receipt'>, executionId: string): StoredReceipt | undefined => {
  try {
    return journal.receipt(executionId)
  } catch (error) {
    if (error instanceof JournalError) return undefined
    throw error
  }
}

const journalFailed = (
  { message, reason, hint }: JournalError,
  executionId: string,
  dispatched: Dispatched,
): ErrorObject => {
  const details = { reason, executionId, dispatched }
  if (dispatched === false) {
    return failure('JOURNAL_UNAVAILABLE', `${message}; nothing was sent to the device.`, { details, hint })
  }
  return failure('JOURNAL_UNAVAILABLE', `${message}; it may have executed.`, {
    details,
    hint: `${hint.replace(/\.$/, '')}. ${receiptHint(executionId)}`,
  })
}

export const unanswered = (
  outcome: AskResult<DeviceEmitted>,
  executionId: string,
  journal: Pick<Journal, 'receipt'>,
): ErrorObject => {
  if (outcome.kind === 'unrecorded') return journalFailed(outcome.error, executionId, false)
  if (outcome.kind === 'broken' && outcome.error instanceof JournalError) {
    // Work under way has ended with the journal: a request leaves only after its dispatch was recorded.
    const receipt = receiptIn(journal, executionId)
    return journalFailed(outcome.error, executionId, receipt ? receipt.dispatchedAt !== undefined : 'unknown')
  }
  const why = outcome.kind === 'expired' ? 'the wait timed out' : 'the host broke'
  return outcomeUnknown(`No answer: ${why}`, executionId, journal)
}

const dispatchedSoFar = (receipt: StoredReceipt | undefined): Dispatched =>
  receipt ? wasDispatched(receipt) : 'unknown'

/** The answer to a later caller with the same key or id that stopped waiting. */
export const leftFirst = (executionId: string, journal: Pick<Journal, 'receipt'>): ErrorObject => {
  const receipt = receiptIn(journal, executionId)
  return failure('EXECUTION_CANCELLED', 'The call was cancelled; the execution that another call began goes on.', {
    details: {
      executionId,
      ...(receipt === undefined ? {} : { deviceId: receipt.deviceId }),
      dispatched: dispatchedSoFar(receipt),
    },
    hint: receiptHint(executionId),
  })
}

/** For an execution whose end is not on record, or not in time. */
export const outcomeUnknown = (why: string, executionId: string, journal: Pick<Journal, 'receipt'>): ErrorObject => {
  const dispatched = dispatchedSoFar(receiptIn(journal, executionId))
  const effect = dispatched === false ? 'nothing was sent to the device' : 'it may have executed'
  return failure('INTERNAL_ERROR', `${why}; ${effect}.`, {
    details: { executionId, dispatched },
    hint: receiptHint(executionId),
  })
}

/** Converts an error of a link that came before anything was sent. */
export const asFailure = (error: unknown): ErrorObject => {
  if (!(error instanceof LinkError)) throw error
  if (isFailureCode(error.code)) {
    const details = FAILURES[error.code].mayHaveExecuted ? { details: { dispatched: false } } : {}
    return failure(error.code, error.message, details)
  }
  if (error.code === 'LINK_CANCELLED') return cancelledEarly()
  return failure('DEVICE_SHELL_UNAVAILABLE', error.message)
}
