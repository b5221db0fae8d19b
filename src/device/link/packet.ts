/**
 * Packets of the debug bridge, a header of 24 bytes and a payload, which both sides of the protocol read and write
 * here; and the TCP socket to a device that carries them.
 */
import type { Socket } from 'node:net'
import type { Clock } from '../../runtime/clock.ts'
import { HANDSHAKE_BYTES_MAX } from './link-limits.ts'

export interface Packet {
  command: number
  arg0: number
  arg1: number
  payload: Uint8Array
}

export const HEADER_BYTES = 24
/** The most that either side may put into one packet. */
export const PAYLOAD_BYTES_MAX = 1_024 * 1_024

export const EMPTY_PAYLOAD = new Uint8Array()

/** The bytes are no packet: nothing after them can be understood. */
export class PacketError extends Error {}

export const checksumOf = (payload: Uint8Array): number => {
  let sum = 0
  for (const byte of payload) sum = (sum + byte) >>> 0
  return sum
}

/** A codec takes 25 us for a header, and each chunk of output needs two. */
export const writeHeader = ({ command, arg0, arg1, payload }: Packet, checksum: number): Buffer => {
  const header = Buffer.allocUnsafe(HEADER_BYTES)
  header.writeInt32LE(command | 0, 0)
  header.writeInt32LE(arg0 | 0, 4)
  header.writeInt32LE(arg1 | 0, 8)
  header.writeInt32LE(payload.length, 12)
  header.writeInt32LE(checksum | 0, 16)
  header.writeInt32LE(~command, 20)
  return header
}

/** Refuses a header by throwing: its payload is not waited for. */
type CheckHeader = (command: number, payloadBytes: number) => void

/**
 * Cuts the bytes of a connection into packets, however they arrive. Throws PacketError at other bytes. Payloads are
 * copied, so that a packet of a few bytes does not keep the chunk that it came in.
 */
export const packetReader = (check: CheckHeader = () => {}): ((chunk: Uint8Array) => Packet[]) => {
  const header = Buffer.alloc(HEADER_BYTES)
  let headerBytes = 0
  let payload = EMPTY_PAYLOAD
  let payloadBytes = 0

  const begin = () => {
    const command = header.readUInt32LE(0)
    const length = header.readUInt32LE(12)
    if ((command ^ header.readUInt32LE(20)) !== -1) throw new PacketError('the magic does not fit the command')
    if (length > PAYLOAD_BYTES_MAX) throw new PacketError(`a payload of ${length} bytes`)
    check(command, length)
    payload = new Uint8Array(length)
    payloadBytes = 0
  }
  const packet = (): Packet => ({
    command: header.readUInt32LE(0),
    arg0: header.readUInt32LE(4),
    arg1: header.readUInt32LE(8),
    payload,
  })

  return chunk => {
    const packets: Packet[] = []
    let at = 0
    while (at < chunk.length) {
      if (headerBytes < HEADER_BYTES) {
        const part = chunk.subarray(at, at + HEADER_BYTES - headerBytes)
        header.set(part, headerBytes)
        headerBytes += part.length
        at += part.length
        if (headerBytes === HEADER_BYTES) begin()
      } else {
        const part = chunk.subarray(at, at + payload.length - payloadBytes)
        payload.set(part, payloadBytes)
        payloadBytes += part.length
        at += part.length
      }
      if (headerBytes === HEADER_BYTES && payloadBytes === payload.length) {
        packets.push(packet())
        headerBytes = 0
      }
    }
    return packets
  }
}

/** Up to this size one copy is cheaper than a second write. */
const COPY_BYTES_MAX = 16 * 1_024

/** Wireless debugging of Android 11 and later: the connection is to go on inside TLS, with keys from a pairing. */
const STLS = 0x534c5453

export const COMMAND = {
  AUTH: 0x48545541,
  CLSE: 0x45534c43,
  CNXN: 0x4e584e43,
  OKAY: 0x59414b4f,
  OPEN: 0x4e45504f,
  WRTE: 0x45545257,
} as const

const checkHeader = (command: number, payloadBytes: number): void => {
  if ((command === COMMAND.CNXN || command === COMMAND.AUTH) && payloadBytes > HANDSHAKE_BYTES_MAX)
    throw new Error(`its connection message has ${payloadBytes} bytes, the maximum is ${HANDSHAKE_BYTES_MAX}`)
  if (command === STLS) throw new Error('it requires TLS: pair it with adb and use the adb server')
}

/** Throws at bytes that another kind of server sent. */
export const devicePackets = (): ((chunk: Uint8Array) => Packet[]) => {
  const read = packetReader(checkHeader)
  return chunk => {
    try {
      return read(chunk)
    } catch (error) {
      if (!(error instanceof PacketError)) throw error
      throw new Error('the listener there does not speak the adb protocol', { cause: error })
    }
  }
}

/** Nobody waits longer for an acknowledgement, though a service may say that it does not matter. */
const DELAY_MS = 20

interface PacketSocketOptions {
  clock: Clock
  /** Ends the connection by throwing. */
  onPacket(packet: Packet): void
  /** Called at the end of the connection, perhaps more than once. */
  onEnd(error?: Error): void
}

/**
 * To write to a socket takes longer than to act on what has come. So acknowledgements and endings leave after that, or
 * with what is sent next. What waits to be written is bounded by its senders: each service has one packet under way.
 */
export const packetSocket = (socket: Socket, { clock, onPacket, onEnd }: PacketSocketOptions) => {
  const read = devicePackets()
  let postponed: Buffer[] = []
  let mayWait = false
  let isWaiting = false
  const take = () => {
    const taken = postponed
    postponed = []
    return taken
  }
  const flush = () => {
    if (postponed.length > 0 && !socket.destroyed) socket.write(Buffer.concat(take()))
  }
  const flushSoon = () => {
    if (!mayWait) return flush()
    if (isWaiting || postponed.length === 0) return
    isWaiting = true
    const end = () => {
      isWaiting = false
      flush()
    }
    clock.at(clock.now() + DELAY_MS, end, { idle: true })
  }
  socket.on('data', data => {
    try {
      for (const packet of read(data)) onPacket(packet)
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined)
    }
  })
  socket.on('error', onEnd)
  socket.on('end', () => onEnd())
  socket.on('close', () => onEnd())

  const send = (packet: Packet, checksum: number): void => {
    if (socket.destroyed) return
    const { command, payload } = packet
    const header = writeHeader(packet, checksum)
    if (command === COMMAND.OKAY || command === COMMAND.CLSE) {
      mayWait = false
      // The first turn is that of the commits which the bytes have caused.
      if (postponed.push(header) === 1) setImmediate(() => setImmediate(flushSoon))
    } else if (payload.length <= COPY_BYTES_MAX) socket.write(Buffer.concat([...take(), header, payload]))
    else {
      socket.write(Buffer.concat([...take(), header]))
      socket.write(payload)
    }
  }
  return {
    send,
    delayAcknowledgements() {
      mayWait = true
    },
  }
}
