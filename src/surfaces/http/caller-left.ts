/** Tells whether the caller of a request still listens: a connection that it has ended hears no answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../runtime/clock.ts'

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse }

/** A caller that reads its answer has read it by then; one that closed before resets the connection when the answer comes. */
const ANSWER_READ_MS = 1_000

/** Aborted when the caller ends its connection before its answer is complete, also by the end of its own side. */
export const leaving = ({ incoming: { socket }, outgoing }: Exchange): AbortSignal => {
  const left = new AbortController()
  const abort = () => left.abort()
  // A request inside of this process has no socket.
  const hasEnded = socket !== undefined && (socket.destroyed || socket.readableEnded)
  if (hasEnded && !outgoing.writableFinished) {
    abort()
    return left.signal
  }
  socket?.once('end', abort)
  outgoing.once('close', () => {
    socket?.removeListener('end', abort)
    if (!outgoing.writableFinished) abort()
  })
  return left.signal
}

/** Bytes that have reached this host by now are read in the next turn of the event loop: the one that goes on may be half over. */
export const readWhatCame = async (): Promise<void> => {
  await turn()
  await turn()
}

/** Resolves to false where the caller has left before its answer was written, or reset the connection instead of reading it. */
export const answerHeard = ({ incoming: { socket }, outgoing }: Exchange, left: AbortSignal, clock: Clock) =>
  new Promise<boolean>(resolve => {
    const onLeave = () => resolve(false)
    left.addEventListener('abort', onLeave, { once: true })
    if (left.aborted) onLeave()
    outgoing.once('finish', () => {
      if (left.aborted || socket === undefined) return resolve(!left.aborted)
      const bytesRead = socket.bytesRead
      const onClose = (isReset: boolean) => {
        read.cancel()
        // A further request on the connection follows an answer that was read.
        resolve(!isReset || socket.bytesRead > bytesRead)
      }
      const read = clock.at(clock.now() + ANSWER_READ_MS, () => {
        socket.removeListener('close', onClose)
        resolve(true)
      })
      socket.once('close', onClose)
    })
  })
