/** Writes the bits of an H.264 stream: fixed numbers, Exp-Golomb codes, whole bytes, and the escapes of a NAL unit. */

export const createBits = () => {
  let bytes = Buffer.alloc(4_096)
  let length = 0
  /** The bits of the byte that is not full yet. */
  let held = 0
  let count = 0

  const room = (more: number) => {
    if (length + more > bytes.length) bytes = Buffer.concat([bytes], Math.max(bytes.length * 2, length + more))
  }
  const bit = (value: number) => {
    held = (held << 1) | value
    count += 1
    if (count < 8) return
    room(1)
    bytes[length++] = held
    held = 0
    count = 0
  }
  const fixed = (value: number, width: number) => {
    for (let at = width - 1; at >= 0; at -= 1) bit((value >>> at) & 1)
  }
  const unsigned = (value: number) => {
    const width = 32 - Math.clz32(value + 1)
    fixed(0, width - 1)
    fixed(value + 1, width)
  }

  return {
    fixed,
    /** Exp-Golomb code of a number from 0 on. */
    unsigned,
    /** Exp-Golomb code of any whole number. */
    signed: (value: number) => unsigned(value > 0 ? 2 * value - 1 : -2 * value),
    /** A code as the tables of the standard print it. */
    code(text: string) {
      for (const digit of text) bit(Number(digit))
    },
    /** Fills the byte with zeros. */
    align() {
      while (count > 0) bit(0)
    },
    /** Whole bytes; the stream must be aligned. */
    append(data: Uint8Array) {
      room(data.length)
      bytes.set(data, length)
      length += data.length
    },
    /** Ends the data with a one and zeros. */
    end(): Buffer {
      bit(1)
      while (count > 0) bit(0)
      return bytes.subarray(0, length)
    },
  }
}

export type Bits = ReturnType<typeof createBits>

/** Two zeros are never followed by 0 to 3 inside a unit: a start code must not appear in it. */
const ESCAPE = 3

export const nalUnit = (header: number, payload: Uint8Array): Buffer => {
  const out = Buffer.alloc(1 + Math.ceil(payload.length * 1.5))
  out[0] = header
  let at = 1
  let zeros = 0
  for (const byte of payload) {
    if (zeros === 2 && byte <= ESCAPE) {
      out[at++] = ESCAPE
      zeros = 0
    }
    out[at++] = byte
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return out.subarray(0, at)
}
