/** Delivers a segment over the operator's session socket, and takes its result from there, or from the log once the socket is gone. */
import { type Delivery, type Errand, LAST_LOOK_MS, lastLookDelivered, partDelivered } from './delivery.ts'
import { aborted } from './session/deferred.ts'
import type { LogWait } from './session/log-wait.ts'
import type { OperatorSocket } from './session/socket.ts'

const inLog = async ({ session, request }: Errand, look: (wait: LogWait) => Promise<Delivery>): Promise<Delivery> => {
  const wait = session.log.expect({ wireId: request.commandId, nonce: request.nonce })
  try {
    return await look(wait)
  } finally {
    wait.close()
  }
}

/** The socket is open and silent: one look costs nothing that matters, and shows what the operator logged last. */
const lastLook = (errand: Errand): Promise<Delivery> =>
  inLog(errand, async wait => {
    const { clock, control } = errand
    const look = await wait.conclude(clock.now() + LAST_LOOK_MS, control.dispatchedAt())
    return lastLookDelivered({ ...look, reachable: true })
  })

/** An operator that cannot answer over the socket any more may still be at work, and writes its result to the log. */
const resultInLog = (errand: Errand, reason: string): Promise<Delivery> =>
  inLog(errand, async wait => {
    const { clock, control } = errand
    wait.dispatched(control.dispatchedAt())
    wait.doubt()
    const ending = await Promise.race([wait.ending, aborted(control.end, undefined)])
    if (ending) return partDelivered(ending)
    if (!control.isOverdue()) return { kind: 'stopped' }
    const { verdict } = await wait.conclude(clock.now() + LAST_LOOK_MS)
    return verdict ? partDelivered(verdict) : { kind: 'lost', reason }
  })

export const bySocket = async (socket: OperatorSocket, errand: Errand): Promise<Delivery> => {
  const { control, request, segment } = errand
  const undispatched = await control.dispatch(segment)
  if (undispatched) return undispatched
  const ending = await Promise.race([socket.execute(request), aborted(control.end, undefined)])
  socket.forget(request.commandId)
  if (ending?.kind === 'lost') return resultInLog(errand, ending.reason)
  if (ending) return partDelivered(ending)
  return control.isOverdue() ? lastLook(errand) : { kind: 'stopped' }
}
