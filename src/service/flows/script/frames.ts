/** The messages between a host and the process of its scripts: a head of JSON, and a text that is long and stays as it is. */

export interface Frame {
  readonly head: unknown
  readonly body: string
}

const LENGTHS_BYTES = 8
/** Far more than the memory of a script holds. */
export const FRAME_BYTES_MAX = 256 * 1_024 * 1_024

export const encodeFrame = (head: unknown, body = ''): Buffer => {
  const headBytes = Buffer.from(JSON.stringify(head))
  const bodyBytes = Buffer.from(body)
  const lengths = Buffer.alloc(LENGTHS_BYTES)
  lengths.writeUInt32LE(headBytes.length, 0)
  lengths.writeUInt32LE(bodyBytes.length, 4)
  return Buffer.concat([lengths, headBytes, bodyBytes])
}

export interface FrameBounds {
  readonly headBytesMax: number
  readonly bodyBytesMax: number
}

/** Takes bytes as they come and returns the frames that are whole; throws for one that is too long. */
export const createFrameReader = (
  { headBytesMax, bodyBytesMax }: FrameBounds = { headBytesMax: FRAME_BYTES_MAX, bodyBytesMax: FRAME_BYTES_MAX },
): ((bytes: Buffer) => Frame[]) => {
  let chunks: Buffer[] = []
  let held = 0
  let wanted = LENGTHS_BYTES
  return bytes => {
    chunks.push(bytes)
    held += bytes.length
    const frames: Frame[] = []
    // Chunks are joined only once they hold what is wanted: a long frame comes in thousands of them.
    while (held >= wanted) {
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      const headLength = all.readUInt32LE(0)
      const bodyLength = all.readUInt32LE(4)
      const length = LENGTHS_BYTES + headLength + bodyLength
      if (headLength > headBytesMax || bodyLength > bodyBytesMax || length > FRAME_BYTES_MAX)
        throw new Error(`a message of ${length} bytes is too long`)
      chunks = [all]
      if (held < length) {
        wanted = length
        break
      }
      const bodyAt = LENGTHS_BYTES + headLength
      frames.push({
        head: JSON.parse(all.toString('utf8', LENGTHS_BYTES, bodyAt)),
        body: all.toString('utf8', bodyAt, length),
      })
      const rest = all.subarray(length)
      chunks = rest.length > 0 ? [rest] : []
      held = rest.length
      wanted = LENGTHS_BYTES
    }
    return frames
  }
}
