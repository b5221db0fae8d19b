/** What an execution is answered that no device machine answered: conflicts, a failing journal, a caller that left. */
import type { DeviceEmitted } from '../../machines/device-setup.ts'
import type { ErrorObject } from '../contracts/error.ts'
import { failure } from '../contracts/failures.ts'
import type { Asked } from '../runtime/host.ts'
import { JournalError } from '../runtime/journal/fault.ts'

interface Holder {
  pid: number
  executionId: unknown
  commandId: unknown
  since: number
}

const conflict = (deviceId: string, holder: Holder): ErrorObject =>
  failure('EXECUTION_CONFLICT_IN_FLIGHT', `Device ${deviceId} is busy with another execution.`, {
    details: { deviceId, holder },
    hint: 'wait until it has settled, or cancel it',
  })

/** The one who holds the device: an execution of this process, or, by its lease, of another one. */
export const conflictWith = (asked: Asked<DeviceEmitted>, deviceId: string): ErrorObject | undefined => {
  if (asked.kind === 'held') {
    const { holder, since, note } = asked.lease
    const { executionId, commandId } = note
    return conflict(deviceId, { pid: holder.pid, executionId, commandId, since })
  }
  if (asked.kind !== 'answered' || asked.emitted.type !== 'execution.refused') return undefined
  const { holder } = asked.emitted
  return conflict(deviceId, {
    pid: process.pid,
    executionId: holder?.executionId,
    commandId: holder?.commandId,
    since: holder?.acceptedAt ?? 0,
  })
}

export const unanswered = (asked: Asked<DeviceEmitted>, executionId: string): ErrorObject => {
  if (asked.kind === 'unrecorded') {
    const { message, reason, hint } = asked.error
    return failure('JOURNAL_UNAVAILABLE', `${message}; nothing was sent to the device.`, {
      details: { reason, executionId, dispatched: false },
      hint,
    })
  }
  if (asked.kind === 'broken' && asked.error instanceof JournalError) {
    const { message, reason, hint } = asked.error
    // Whether the request had left is in the journal as far as it could be written: the next opening settles it.
    return failure('JOURNAL_UNAVAILABLE', `${message}; it may have executed.`, {
      details: { reason, executionId },
      hint: `${hint}; then ask: svc executions show ${executionId}`,
    })
  }
  const why =
    asked.kind === 'left' ? 'the caller left' : asked.kind === 'expired' ? 'the wait is over' : 'the host broke'
  return failure('INTERNAL_ERROR', `No answer: ${why}; it may have executed.`, {
    details: { executionId },
    hint: `ask: svc executions show ${executionId}`,
  })
}
