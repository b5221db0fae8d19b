/** Takes one segment to whoever performs it, the way it has to go. */
import { SHELL_OPERATOR_PACKAGE, UIAUTOMATOR_OPERATOR_PACKAGE } from '../contracts/operator.ts'
import { byBroadcast } from './by-broadcast.ts'
import { byHost, byShell, byUiautomator } from './by-link.ts'
import { bySocket } from './by-socket.ts'
import { type Delivery, type ExecutionRun, refusalOf } from './delivery.ts'
import { canBePackage } from './wire/broadcast-command.ts'
import { freshNonce, operatorRequest, wireIdOf } from './wire/request.ts'
import type { Segment } from './wire/segments.ts'

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

export const deliver = (segment: Segment, run: ExecutionRun): Promise<Delivery> => {
  if (segment.kind === 'host') return byHost(segment, run)
  const { operatorPackage } = run.job
  if (operatorPackage === UIAUTOMATOR_OPERATOR_PACKAGE) return byUiautomator(segment, run)
  return operatorPackage === SHELL_OPERATOR_PACKAGE ? byShell(segment, run) : byOperator(segment, run)
}
