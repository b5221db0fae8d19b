/** One request to the helper: a connection of its own, a line out, an answer back, within a time. */
import { randomBytes } from 'node:crypto'
import { bounded } from '../../adb/bounded.ts'
import type { CallOptions, Link } from '../../adb/link.ts'
import { LinkError } from '../../adb/link-error.ts'
import type { Clock } from '../../runtime/clock.ts'
import { answerReader, type HelperAnswer, type HelperCommand, ProtocolError, requestLine } from './protocol.ts'

export type HelperReply =
  | { kind: 'answer'; answer: HelperAnswer }
  /** Nobody listens: nothing of the request was sent. */
  | { kind: 'unsent' }
  /** It was sent, and what became of it is not known. */
  | { kind: 'lost'; reason: string }

export interface Question {
  link: Link
  clock: Clock
  port: number
  command: HelperCommand
  payload?: string
}

const ID_BYTES = 8

const answerOver = async (
  { link, port, command, payload }: Question,
  options: CallOptions,
  stop: AbortSignal,
): Promise<HelperReply> => {
  const socket = await link.socket(`tcp:${port}`, { ...options, signal: stop }).catch((error: unknown) => {
    if (error instanceof LinkError && error.code === 'LINK_SOCKET_REFUSED') return undefined
    throw error
  })
  if (!socket) return { kind: 'unsent' }
  stop.addEventListener('abort', socket.close, { once: true })
  const request = { command, id: randomBytes(ID_BYTES).toString('hex'), ...(payload === undefined ? {} : { payload }) }
  const reader = answerReader(request)
  try {
    // The helper may answer, or end, before the bridge has confirmed the line: the answer is what counts.
    const sent = socket.write(requestLine(request)).catch(() => {})
    for await (const bytes of socket.chunks) {
      const answer = reader.push(bytes)
      if (answer) return { kind: 'answer', answer }
    }
    await sent
    return { kind: 'lost', reason: 'the helper closed the connection without an answer' }
  } catch (error) {
    if (error instanceof ProtocolError)
      return { kind: 'lost', reason: `the helper sent an answer that cannot be read: ${error.message}` }
    throw error
  } finally {
    socket.close()
  }
}

/** Rejects with LinkError: when the time is over, when the caller leaves, when the link is lost. */
export const askHelper = (question: Question, options: CallOptions): Promise<HelperReply> => {
  const { clock, link, command } = question
  return bounded({ ...options, clock, what: `${command} by the helper`, lost: link.lost }, stop =>
    answerOver(question, options, stop),
  )
}
