/** Runs one execution to its answer: its segments in order, each the way it has to go, up to the first that fails. */
import type { ErrorObject } from '../contracts/error.ts'
import type { ExecutionResult } from '../contracts/execution-result.ts'
import { SHELL_OPERATOR_PACKAGE, UIAUTOMATOR_OPERATOR_PACKAGE } from '../contracts/operator.ts'
import { answered, cancelled, overdue, type Standing, undelivered, unready } from './answer.ts'
import { byBroadcast } from './by-broadcast.ts'
import { byHost, byShell, byUiautomator } from './by-link.ts'
import { bySocket } from './by-socket.ts'
import { type Delivery, type ExecutionRun, type RefusedDelivery, refusalOf } from './delivery.ts'
import { canBePackage } from './wire/broadcast-command.ts'
import type { Part } from './wire/merge.ts'
import { freshNonce, operatorRequest, wireIdOf } from './wire/request.ts'
import { cutSegments, type Segment } from './wire/segments.ts'

/** Over the session socket where the operator has one, else by broadcast. */
const byOperator = async (segment: Extract<Segment, { kind: 'operator' }>, run: ExecutionRun): Promise<Delivery> => {
  const { executionId, job, session, control, clock } = run
  const { execution, operatorPackage } = job
  if (!canBePackage(operatorPackage)) {
    const message = `${JSON.stringify(operatorPackage.slice(0, 64))} cannot be the name of an installed app`
    return { kind: 'refused', code: 'OPERATOR_NOT_INSTALLED', message }
  }
  const awaited = { wireId: wireIdOf(executionId, segment.index), nonce: freshNonce() }
  const timeLeftMs = execution.timeoutMs - control.spentMs()
  const request = operatorRequest({ execution, actions: segment.actions, awaited, timeLeftMs })
  const segmentJob = { session, clock, control, operatorPackage, segment: segment.index, request }
  const socket = await session.sockets.get(operatorPackage, control.preparing()).catch(refusalOf)
  if (socket && 'kind' in socket) return socket
  return socket ? bySocket(socket, segmentJob) : byBroadcast(segmentJob)
}

const deliver = (segment: Segment, run: ExecutionRun): Promise<Delivery> => {
  if (segment.kind === 'host') return byHost(segment, run)
  const { operatorPackage } = run.job
  if (operatorPackage === UIAUTOMATOR_OPERATOR_PACKAGE) return byUiautomator(segment, run)
  return operatorPackage === SHELL_OPERATOR_PACKAGE ? byShell(segment, run) : byOperator(segment, run)
}

/** Why nothing can be shown to the device's user now: its screen stays off, or it cannot be asked. */
const notReady = async ({
  session,
  control,
  checkInteractive,
}: ExecutionRun): Promise<ErrorObject | RefusedDelivery | undefined> => {
  try {
    const interactive = await checkInteractive(await session.link(control.preparing()), control.preparing())
    return interactive.ok ? undefined : interactive.error
  } catch (error) {
    return refusalOf(error)
  }
}

/** Undefined when there is nobody to answer: the machine has gone on without it, or would not record a dispatch. */
export const runExecution = async (run: ExecutionRun): Promise<ExecutionResult | undefined> => {
  const { executionId, job, session, control, clock } = run
  const parts: Part[] = []
  const standing = (): Standing => ({
    executionId,
    job,
    parts,
    dispatchedAt: control.dispatched()?.at ?? clock.now(),
    elapsedMs: control.spentMs(),
  })
  const problem = await notReady(run)
  if (control.halt.aborted) return control.isCancelled() ? cancelled(standing()) : undefined
  if (problem) return 'kind' in problem ? undelivered(problem, standing()) : unready(problem, standing())
  // While it is connected, no other accessibility service works, and no dump.
  if (job.operatorPackage !== UIAUTOMATOR_OPERATOR_PACKAGE) await session.helper.stop()
  for (const segment of cutSegments(job.execution.actions)) {
    const delivery = control.halt.aborted ? ({ kind: 'stopped' } as const) : await deliver(segment, run)
    if (delivery.kind === 'part') parts.push(delivery.part)
    else if (
      control.isOverdue() &&
      control.dispatched() !== undefined &&
      (delivery.kind === 'stopped' || delivery.kind === 'refused')
    ) {
      return overdue(standing(), session.log.lastLines())
    } else if (control.isCancelled()) return cancelled(standing())
    else if (delivery.kind === 'stopped') return undefined
    else return undelivered(delivery, standing())
    if (delivery.part.error !== null) break
  }
  return answered(standing())
}
