/** One session socket of the operator app: says hello, takes requests as frames, and answers with frames. */
import { OPERATOR_PROTOCOL } from '../../contracts/limits/limits.ts'
import { encodeFrame, frameCutter } from '../../device/operators/app/wire/messages.ts'
import type { AppSocket } from '../phone-parts.ts'
import { type ReadRequest, readRequest, readRequestText } from './request.ts'

/** A request is at most an execution and its names. */
const FRAME_BYTES_MAX = 1_024 * 1_024

interface SessionOptions {
  socket: AppSocket
  packageName: string
  version: string
  onRequest(read: ReadRequest, session: Session): void
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

/** Undefined for a frame of a kind that a later version of the protocol may have. */
const requestIn = (text: string): ReadRequest | undefined => {
  try {
    const frame: unknown = JSON.parse(text)
    if (typeof frame !== 'object' || frame === null || Reflect.get(frame, 'type') !== 'execute') return undefined
    return readRequest(Reflect.get(frame, 'payload'))
  } catch {
    return readRequestText(text)
  }
}

export const openSession = ({ socket, packageName, version, onRequest }: SessionOptions): Session => {
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
        const read = requestIn(frame)
        if (read) onRequest(read, session)
      }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      socket.close()
    }
  })
  socket.write(encodeFrame({ type: 'hello', protocol: OPERATOR_PROTOCOL, package: packageName, version }))
  return session
}
