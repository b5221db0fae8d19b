/**
 * Packets of the debug bridge, a header of 24 bytes and a payload, which both sides of the protocol read and write
 * here; and their streams on a TCP socket to a device.
 */
import type { Socket } from 'node:net'
import type { AdbDaemonConnection, AdbPacketData, AdbPacketInit } from '@yume-chan/adb'
import { type Consumable, PushReadableStream, tryClose, WritableStream } from '@yume-chan/stream-extra'
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
  const header = Buffer.alloc(HEADER_BYTES)
  const fields = [command, arg0, arg1, payload.length, checksum, ~command]
  fields.forEach((field, index) => {
    header.writeInt32LE(field | 0, index * 4)
  })
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
const CNXN = 0x4e584e43
const AUTH = 0x48545541
const OKAY = 0x59414b4f
const WRTE = 0x45545257
const CLSE = 0x45534c43
/** A device sends one packet of a service and waits until it was taken; a few more are forgiven. */
const UNTAKEN_MAX = 4

const checkHeader = (command: number, payloadBytes: number): void => {
  if ((command === CNXN || command === AUTH) && payloadBytes > HANDSHAKE_BYTES_MAX)
    throw new Error(`its connection message has ${payloadBytes} bytes, the maximum is ${HANDSHAKE_BYTES_MAX}`)
  if (command === STLS) throw new Error('it requires TLS: pair it with adb and use the adb server')
}

/** Throws at bytes that another kind of server sent. */
export const devicePackets = (): ((chunk: Uint8Array) => AdbPacketData[]) => {
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

/** Resolves when the socket is ready for more, or gone. */
const drained = (socket: Socket): Promise<void> =>
  new Promise(resolve => {
    const end = () => {
      socket.off('drain', end).off('close', end)
      resolve()
    }
    socket.on('drain', end).on('close', end)
  })

/**
 * To write to a socket takes longer than to act on what has come. So what was taken is acknowledged after that, or with
 * what is sent next.
 */
const sender = (socket: Socket) => {
  let acknowledgements: Buffer[] = []
  const flush = () => {
    if (acknowledgements.length > 0 && !socket.destroyed) socket.write(Buffer.concat(acknowledgements))
    acknowledgements = []
  }
  const acknowledge = (header: Buffer) => {
    // The first turn is that of the commits which the bytes have caused.
    if (acknowledgements.push(header) === 1) setImmediate(() => setImmediate(flush))
  }

  return async (packet: AdbPacketInit): Promise<void> => {
    // The reader says when the link is gone. A write that failed too would end as a rejection that nobody handles.
    if (socket.destroyed) return
    const header = writeHeader(packet, packet.checksum)
    if (packet.command === OKAY) return acknowledge(header)
    const before = acknowledgements
    acknowledgements = []
    if (packet.payload.length <= COPY_BYTES_MAX) {
      if (!socket.write(Buffer.concat([...before, header, packet.payload]))) await drained(socket)
      return
    }
    socket.write(Buffer.concat([...before, header]))
    await new Promise<void>(resolve => {
      socket.write(packet.payload, () => resolve())
    })
  }
}

/**
 * The package keeps whatever comes for a service until somebody reads it, so a device that sends without waiting would
 * fill the memory. Throws at such a one.
 */
const untakenPackets = () => {
  const untaken = new Map<number, number>()
  return {
    received({ command, arg1 }: AdbPacketData) {
      if (command === CLSE) untaken.delete(arg1)
      if (command !== WRTE) return
      const count = (untaken.get(arg1) ?? 0) + 1
      if (count > UNTAKEN_MAX) throw new Error('it sends more data than was requested')
      untaken.set(arg1, count)
    },
    sent({ command, arg0 }: AdbPacketInit) {
      const count = untaken.get(arg0)
      if (command !== OKAY || count === undefined) return
      if (count > 1) untaken.set(arg0, count - 1)
      else untaken.delete(arg0)
    },
  }
}

/** `onEnd` is called before the streams end, so that a reader that sees them end knows why. */
export const packetStreams = (socket: Socket, onEnd: (error?: Error) => void): AdbDaemonConnection => {
  const read = devicePackets()
  const untaken = untakenPackets()
  const send = sender(socket)
  return {
    readable: new PushReadableStream<AdbPacketData>(controller => {
      const end = (error?: Error) => {
        onEnd(error)
        void tryClose(controller)
      }
      const pass = async (data: Uint8Array) => {
        socket.pause()
        for (const packet of read(data)) {
          untaken.received(packet)
          await controller.enqueue(packet)
        }
        socket.resume()
      }
      socket.on('data', data => void pass(data).catch((error: Error) => socket.destroy(error)))
      socket.on('error', end)
      socket.on('end', () => end())
      socket.on('close', () => end())
      controller.abortSignal.addEventListener('abort', () => socket.destroy())
    }),
    writable: new WritableStream<Consumable<AdbPacketInit>>({
      write: chunk =>
        chunk.tryConsume(packet => {
          untaken.sent(packet)
          return send(packet)
        }),
    }),
  }
}
