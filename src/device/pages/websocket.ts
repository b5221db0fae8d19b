/**
 * A WebSocket client over a stream of the device (RFC 6455): texts both ways, in the client's masked frames. The package `ws` bounds each
 * message, and not all that an inspector sends.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { LinkSocket } from '../link/link.ts'
import { byteReader } from './byte-reader.ts'
import { readHead, requestHead } from './http-answer.ts'
import { PageProblem } from './page-problem.ts'

export interface WebSocketClient {
  send(text: string): Promise<void>
  /** The next text of the other side; PageProblem once it has closed, or does not speak the protocol. */
  receive(): Promise<string>
}

export const OPCODE = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 } as const
const FINAL = 0x80
const MASKED = 0x80
const RESERVED = 0x70
const LENGTH_16 = 126
const LENGTH_64 = 127
const CONTROL_BYTES_MAX = 125
const MASK_BYTES = 4
/**
 * A whole conversation has no more frames. Inspectors send an answer in one frame; the smallest frames of 8 MiB would keep the
 * process busy for seconds.
 */
const FRAMES_MAX = 10_000
/** Appended to the key of the handshake, by the protocol. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** The answer of a server to the key of a handshake. */
export const acceptOf = (key: string): string => createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64')

/** A frame begins so; `mask` is MASKED for those of clients. */
export const frameHeader = (opcode: number, length: number, mask = 0): Buffer => {
  const first = FINAL | opcode
  if (length < LENGTH_16) return Buffer.of(first, mask | length)
  if (length <= 0xffff) return Buffer.of(first, mask | LENGTH_16, length >> 8, length & 0xff)
  const long = Buffer.alloc(10)
  long.set([first, mask | LENGTH_64])
  long.writeBigUInt64BE(BigInt(length), 2)
  return long
}

export const maskedFrame = (opcode: number, payload: Uint8Array, mask: Uint8Array): Buffer => {
  const body = Buffer.from(payload)
  for (let at = 0; at < body.length; at++) body[at] = (body[at] ?? 0) ^ (mask[at % MASK_BYTES] ?? 0)
  return Buffer.concat([frameHeader(opcode, body.length, MASKED), mask, body])
}

interface Frame {
  isFinal: boolean
  opcode: number
  payload: Buffer
}

const broken = (reason: string) => new PageProblem(`it does not speak WebSocket: ${reason}`)

export const openWebSocket = async (
  socket: LinkSocket,
  target: string,
  { bytesMax }: { bytesMax: number },
): Promise<WebSocketClient> => {
  const reader = byteReader(socket.chunks, bytesMax)
  const key = randomBytes(16).toString('base64')
  await socket.write(
    requestHead(target, {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': key,
      'Sec-WebSocket-Version': '13',
    }),
  )
  const { status, headers } = await readHead(reader)
  if (status !== 101) throw new PageProblem(`it refuses a connection with status ${status}`)
  if (headers.get('sec-websocket-accept') !== acceptOf(key)) throw broken('the handshake has another key')

  const send = (opcode: number, payload: Uint8Array) =>
    socket.write(maskedFrame(opcode, payload, randomBytes(MASK_BYTES)))

  const lengthOf = async (short: number): Promise<number> => {
    if (short === LENGTH_16) return (await reader.exactly(2)).readUInt16BE()
    if (short === LENGTH_64) return Number((await reader.exactly(8)).readBigUInt64BE())
    return short
  }

  let frames = 0
  const frame = async (): Promise<Frame> => {
    frames += 1
    if (frames > FRAMES_MAX) throw new PageProblem(`it sends more than ${FRAMES_MAX} frames`)
    const [first = 0, second = 0] = await reader.exactly(2)
    const opcode = first & 0x0f
    const isFinal = (first & FINAL) !== 0
    if ((first & RESERVED) !== 0 || (second & MASKED) !== 0) throw broken('a frame has flags that nobody agreed on')
    const length = await lengthOf(second & 0x7f)
    if (opcode >= OPCODE.close && (!isFinal || length > CONTROL_BYTES_MAX)) throw broken('a control frame is too long')
    return { isFinal, opcode, payload: await reader.exactly(length) }
  }

  const receive = async (): Promise<string> => {
    const parts: Buffer[] = []
    let isOpen = false
    for (;;) {
      const { isFinal, opcode, payload } = await frame()
      if (opcode === OPCODE.ping) await send(OPCODE.pong, payload)
      else if (opcode === OPCODE.close) throw new PageProblem('it closed the connection')
      else if (opcode === OPCODE.text || opcode === OPCODE.continuation) {
        if (isOpen !== (opcode === OPCODE.continuation)) throw broken('the parts of a text are out of order')
        parts.push(payload)
        if (isFinal) return Buffer.concat(parts).toString('utf8')
        isOpen = true
      } else if (opcode !== OPCODE.pong) throw broken(`a frame has the type ${opcode}`)
    }
  }

  return { send: text => send(OPCODE.text, Buffer.from(text, 'utf8')), receive }
}
