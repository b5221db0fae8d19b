/** The bytes of a request body, counted on the wire: never more than the limit is kept. */
import type { IncomingMessage } from 'node:http'
import { BODY_BYTES } from '../contracts/limits.ts'
import type { Clock, Timer } from '../runtime/clock.ts'

export type BodyBytes =
  | { kind: 'whole'; bytes: Buffer }
  | { kind: 'too-large' }
  /** The caller left, or took too long, before the body was complete. */
  | { kind: 'cut' }

/**
 * Reads and drops the rest of a body that is too large, for a moment: closing a socket with unread bytes resets it, and
 * the answer would be lost on its way.
 */
const DROP_MS = 500
const DROP_BYTES = 8 * 1_024 * 1_024

const declares = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

export const readBodyBytes = (incoming: IncomingMessage, clock: Clock): Promise<BodyBytes> =>
  new Promise(resolve => {
    let chunks: Buffer[] = []
    let bytes = 0
    let isTooLarge = declares(incoming) > BODY_BYTES
    let timer: Timer | undefined

    const finish = (result: BodyBytes) => {
      timer?.cancel()
      incoming.off('data', take)
      incoming.off('end', end)
      incoming.off('close', cut)
      resolve(result)
    }
    const tooLarge = () => {
      finish({ kind: 'too-large' })
      incoming.resume()
    }
    const startDropping = () => {
      chunks = []
      timer ??= clock.at(clock.now() + DROP_MS, tooLarge)
    }
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      isTooLarge ||= bytes > BODY_BYTES
      if (!isTooLarge) chunks.push(chunk)
      else if (bytes > BODY_BYTES + DROP_BYTES) tooLarge()
      else startDropping()
    }
    const end = () =>
      finish(isTooLarge ? { kind: 'too-large' } : { kind: 'whole', bytes: Buffer.concat(chunks, bytes) })
    const cut = () => finish({ kind: 'cut' })

    if (isTooLarge) startDropping()
    incoming.on('data', take)
    incoming.on('end', end)
    incoming.on('close', cut)
    // The socket may have gone before anyone listened.
    if (incoming.destroyed) cut()
  })
