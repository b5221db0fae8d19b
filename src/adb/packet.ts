/** Packets of the debug bridge: a header of 24 bytes and a payload. Both sides of the protocol read and write them here. */

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
