/** Delivers a segment over the operator's session socket, and takes its result from there, or from the log once the socket is gone. */
import { type Delivery, inTime, LAST_LOOK_MS, lastLookDelivered, partDelivered, type SegmentJob } from './delivery.ts'
import type { LogWait } from './session/log-wait.ts'
import type { OperatorSocket } from './session/socket.ts'

const inLog = async (
  { session, request }: SegmentJob,
  look: (wait: LogWait) => Promise<Delivery>,
): Promise<Delivery> => {
  const wait = session.log.expect({ wireId: request.commandId, nonce: request.nonce })
  try {
    return await look(wait)
  } finally {
    wait.close()
  }
}

/** The socket is open and silent: one look costs nothing that matters, and shows what the operator logged last. */
const lastLook = (segmentJob: SegmentJob): Promise<Delivery> =>
  inLog(segmentJob, async wait => {
    const { clock, control } = segmentJob
    const look = await wait.conclude(clock.now() + LAST_LOOK_MS, control.dispatched())
    return lastLookDelivered({ ...look, reachable: true })
  })

/** An operator that cannot answer over the socket any more may still be at work, and writes its result to the log. */
const resultInLog = (segmentJob: SegmentJob, reason: string): Promise<Delivery> =>
  inLog(segmentJob, async wait => {
    const { clock, control } = segmentJob
    wait.dispatched(control.dispatched())
    wait.doubt()
    const ending = await inTime(wait.ending, segmentJob)
    if (ending) return partDelivered(ending)
    if (!control.isOverdue()) return { kind: 'stopped' }
    const { verdict } = await wait.conclude(clock.now() + LAST_LOOK_MS)
    return verdict ? partDelivered(verdict) : { kind: 'lost', reason }
  })

export const bySocket = async (socket: OperatorSocket, segmentJob: SegmentJob): Promise<Delivery> => {
  const { control, request, segment } = segmentJob
  const undispatched = await control.dispatch(segment)
  if (undispatched) return undispatched
  const ending = await inTime(socket.execute(request), segmentJob)
  socket.forget(request.commandId)
  if (ending?.kind === 'lost') return resultInLog(segmentJob, ending.reason)
  if (ending) return partDelivered(ending)
  return control.isOverdue() ? lastLook(segmentJob) : { kind: 'stopped' }
}
