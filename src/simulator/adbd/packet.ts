/** Packets of the debug bridge: a 24-byte header and a payload. */
import { AdbCommand, AdbPacketHeader } from '@yume-chan/adb'

export { AdbCommand }

export interface Packet {
  command: number
  arg0: number
  arg1: number
  payload: Uint8Array
}

export const HEADER_BYTES = 24
/** The most that either side may put into one packet. */
export const PAYLOAD_BYTES_MAX = 1_024 * 1_024
export const NOTHING = new Uint8Array()

/** What came is not a packet: nothing after it can be understood. */
export class PacketError extends Error {}

export const checksumOf = (payload: Uint8Array): number => {
  let sum = 0
  for (const byte of payload) sum = (sum + byte) >>> 0
  return sum
}

export const headerOf = ({ command, arg0, arg1, payload }: Packet, withChecksum: boolean): Uint8Array =>
  AdbPacketHeader.serialize({
    command,
    arg0,
    arg1,
    payloadLength: payload.length,
    checksum: withChecksum ? checksumOf(payload) : 0,
    magic: ~command,
  })

export interface PacketReader {
  /** The packets that these bytes complete; throws PacketError at what is none. */
  push(bytes: Buffer): Packet[]
}

/** Reads headers by hand: the codec takes 25 us for one, and each chunk of output needs two. */
export const packetReader = (): PacketReader => {
  const header = Buffer.alloc(HEADER_BYTES)
  let held = 0
  let packet: Packet | undefined
  let payload: Buffer | undefined
  let filled = 0

  const open = (from: Buffer): Packet & { length: number } => {
    const command = from.readUInt32LE(0)
    const length = from.readUInt32LE(12)
    if ((command ^ from.readUInt32LE(20)) >>> 0 !== 0xffff_ffff) throw new PacketError('the magic does not fit')
    if (length > PAYLOAD_BYTES_MAX) throw new PacketError(`a payload of ${length} bytes`)
    return { command, arg0: from.readUInt32LE(4), arg1: from.readUInt32LE(8), payload: NOTHING, length }
  }

  return {
    push(bytes) {
      const packets: Packet[] = []
      for (let at = 0; at < bytes.length; ) {
        if (!packet) {
          const taken = Math.min(HEADER_BYTES - held, bytes.length - at)
          bytes.copy(header, held, at, at + taken)
          held += taken
          at += taken
          if (held < HEADER_BYTES) return packets
          held = 0
          const { length, ...opened } = open(header)
          packet = opened
          filled = 0
          const whole = bytes.length - at >= length
          // A payload that lies in this chunk as a whole needs no copy.
          payload = whole ? bytes.subarray(at, at + length) : Buffer.allocUnsafe(length)
          if (whole) {
            filled = length
            at += length
          }
        } else if (payload) {
          const taken = Math.min(payload.length - filled, bytes.length - at)
          bytes.copy(payload, filled, at, at + taken)
          filled += taken
          at += taken
        }
        if (packet && payload && filled === payload.length) {
          packets.push({ ...packet, payload })
          packet = undefined
          payload = undefined
        }
      }
      return packets
    },
  }
}
