/** One session socket of the operator app: says hello, takes requests and questions as frames, and answers with frames. */
import * as v from 'valibot'
import { type OperatorCapability, ResultQuestionFrame } from '../../contracts/device/operator.ts'
import { OPERATOR_PROTOCOL } from '../../contracts/limits/limits.ts'
import { encodeFrame, frameCutter } from '../../device/operators/app/wire/messages.ts'
import type { AppSocket } from '../phone-parts.ts'
import { type ReadRequest, readRequest, readRequestText } from './request.ts'

/** A request is at most an execution and its names. */
const FRAME_BYTES_MAX = 1_024 * 1_024

/** Both together name one request for ever. */
export interface RequestName {
  commandId: string
  nonce: string
}

interface SessionOptions {
  socket: AppSocket
  packageName: string
  version: string
  capabilities: readonly OperatorCapability[]
  onRequest(read: ReadRequest, session: Session): void
  onQuestion(question: RequestName, session: Session): void
}

export interface Session {
  isOpen(): boolean
  /** Sends the text of a frame as it is. */
  send(frame: string): void
  close(): void
}

const frameBytes = (text: string): Uint8Array => {
  const body = Buffer.from(text)
  const header = Buffer.alloc(4)
  header.writeUInt32BE(body.length)
  return Buffer.concat([header, body])
}

type HostMessage = { kind: 'request'; read: ReadRequest } | { kind: 'question'; question: RequestName }

/** Undefined for a frame of a kind that a later version of the protocol may have. */
const messageIn = (text: string): HostMessage | undefined => {
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return { kind: 'request', read: readRequestText(text) }
  }
  if (typeof frame !== 'object' || frame === null) return undefined
  if (Reflect.get(frame, 'type') === 'execute')
    return { kind: 'request', read: readRequest(Reflect.get(frame, 'payload')) }
  const question = v.safeParse(ResultQuestionFrame, frame)
  return question.success ? { kind: 'question', question: question.output } : undefined
}

export const openSession = (options: SessionOptions): Session => {
  const { socket, packageName, version, capabilities, onRequest, onQuestion } = options
  const cutter = frameCutter(FRAME_BYTES_MAX)
  let open = true
  const session: Session = {
    isOpen: () => open,
    send: frame => socket.write(frameBytes(frame)),
    close: () => socket.close(),
  }
  socket.onClose(() => {
    open = false
  })
  socket.onData(bytes => {
    try {
      for (const frame of cutter.push(bytes)) {
        const message = messageIn(frame)
        if (message?.kind === 'request') onRequest(message.read, session)
        else if (message) onQuestion(message.question, session)
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      socket.close()
    }
  })
  const hello = { type: 'hello', protocol: OPERATOR_PROTOCOL, package: packageName, version }
  socket.write(encodeFrame(capabilities.length === 0 ? hello : { ...hello, capabilities }))
  return session
}
