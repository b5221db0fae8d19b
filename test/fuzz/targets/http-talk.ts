/** One connection to a server: bytes there, and the answers that come back until the server ends it. */
import { connect, type NetConnectOpts } from 'node:net'
import { createReader } from '../../../src/surfaces/daemon/client/response.ts'
import { WrongReading } from '../target.ts'

const ANSWER_MS = 4_000
const AFTER_DATA_MS = 5
/** A client that ends its side before gets no answer. */
const LISTENING_MS = 80

/** All that comes until the server ends the connection. */
export const talk = (to: NetConnectOpts, input: Buffer, listeningMs = LISTENING_MS): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const socket = connect(to)
    const parts: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new WrongReading(`the connection is still open after ${ANSWER_MS} ms`))
    }, ANSWER_MS)
    let ending = setTimeout(() => socket.end(), listeningMs)
    socket.on('data', part => {
      parts.push(part)
      clearTimeout(ending)
      ending = setTimeout(() => socket.end(), AFTER_DATA_MS)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      clearTimeout(ending)
      resolve(Buffer.concat(parts))
    })
    socket.write(input)
  })

export interface Answer {
  status: number
  type: string
  body: string
}

/** The answers one after the other, as far as they have a length. */
export const answersIn = (said: Buffer): Answer[] => {
  const reader = createReader()
  if (said.length === 0) return []
  reader.feed(said)
  reader.end()
  const answer = reader.answer()
  if (!answer) return []
  return [{ status: answer.status, type: answer.headers['content-type'] ?? '', body: answer.body.toString() }]
}
