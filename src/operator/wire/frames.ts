/** Frames of a session socket: a 4-byte big-endian length, then that many bytes of JSON. */
import { growingBuffer } from '../../adb/growing-buffer.ts'
import { ENVELOPE_BYTES_MAX, SOCKET_FRAME_HEADER_BYTES } from '../../contracts/limits.ts'

export interface FrameCutter {
  /** Throws RangeError at a frame that is longer than allowed; nothing after it can be understood. */
  push(bytes: Uint8Array): string[]
  /** True when a stream that ends now ends inside a frame. */
  isInside(): boolean
}

export const encodeFrame = (value: unknown): Uint8Array => {
  const json = Buffer.from(JSON.stringify(value))
  const header = Buffer.alloc(SOCKET_FRAME_HEADER_BYTES)
  header.writeUInt32BE(json.length)
  return Buffer.concat([header, json])
}

export const frameCutter = (bytesMax = ENVELOPE_BYTES_MAX): FrameCutter => {
  const held = growingBuffer()
  let length: number | undefined
  return {
    push(bytes) {
      const frames: string[] = []
      for (let start = 0; ; ) {
        const need = length ?? SOCKET_FRAME_HEADER_BYTES
        const stop = Math.min(bytes.length, start + need - held.size())
        held.append(bytes.subarray(start, stop))
        start = stop
        if (held.size() < need) return frames
        const complete = held.take()
        if (length === undefined) {
          length = complete.readUInt32BE()
          if (length > bytesMax) throw new RangeError(`a frame of ${length} bytes is longer than ${bytesMax} bytes`)
        } else {
          frames.push(complete.toString('utf8'))
          length = undefined
        }
      }
    },
    isInside: () => length !== undefined || held.size() > 0,
  }
}
