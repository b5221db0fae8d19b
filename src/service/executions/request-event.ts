/** An execution as its device is asked for it: the event with the job of the operator, and the actor that takes it. */
import { hasRef } from '../../contracts/executions/matcher.ts'
import type { ReservationSource } from '../reservations/read-reservation.ts'
import { unlessReserved } from '../reservations/unless-reserved.ts'
import type { ExecuteRequest } from './order.ts'
import type { Permitted } from './prepare.ts'
import type { OperatorJob, ScreenView } from './dispatch.ts'

/** Undefined for an execution that asks nothing of the host but what the contract has. */
const screenViewOf = ({ execution, view }: ExecuteRequest, device: string): ScreenView | undefined => {
  const { format, since, observe = false } = view ?? {}
  const isCompact = format === 'compact' || (since !== undefined && format === undefined)
  if (!isCompact && !observe && since === undefined && !execution.actions.some(hasRef)) return undefined
  return { device, isCompact, isObserved: observe, ...(since === undefined ? {} : { since }) }
}

/** The fields of a request that were given. */
const definedFields = <K extends keyof ExecuteRequest>(
  request: ExecuteRequest,
  keys: readonly K[],
): Pick<ExecuteRequest, K> =>
  Object.fromEntries(keys.filter(key => request[key] !== undefined).map(key => [key, request[key]])) as Pick<
    ExecuteRequest,
    K
  >

interface Terms {
  executionId: string
  /** When the caller is answered. */
  answerUntil: number
  epoch: number | undefined
  reservations: ReservationSource
}

export const requestFor = (request: ExecuteRequest, begun: Permitted, terms: Terms) => {
  const { executionId, answerUntil, epoch, reservations } = terms
  const { execution, screenshots } = request
  const { deviceId, ownershipKey, operatorPackage, inFront, isScreenHidden } = begun
  const { commandId, taskId, timeoutMs } = execution
  const job: OperatorJob = { execution, operatorPackage, serial: deviceId, screenshots, phone: ownershipKey, epoch }
  Object.assign(job, definedFields(request, ['input', 'isSent', 'fileRoots']))
  const view = screenViewOf(request, ownershipKey)
  if (view) job.view = view
  if (inFront) job.inFront = inFront
  if (isScreenHidden) job.isScreenHidden = isScreenHidden
  const target = {
    id: `device:${deviceId}`,
    machine: 'device',
    input: { serial: deviceId },
    ownershipKey,
    note: { executionId, commandId },
    unless: unlessReserved(ownershipKey, request.leaseId, reservations),
  }
  const requested = {
    type: 'execution.requested',
    executionId,
    commandId,
    taskId,
    deviceId,
    operatorPackage,
    timeoutMs,
    acceptUntil: answerUntil - timeoutMs,
    answerUntil,
    ...definedFields(request, ['skillRunId', 'resumes', 'idempotency', 'listener', 'waited', 'leaseId']),
    body: job,
  }
  return { target, requested }
}
