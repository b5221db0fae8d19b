/** Frames of the shell protocol as they come: cut anywhere, several in one piece, or one in many. */

export interface ShellFrame {
  id: number
  /** A part of the frame's data; a frame without data comes as one empty part. */
  data: Uint8Array
}

const HEADER_BYTES = 5

export const shellFrames = (): { push(bytes: Uint8Array): ShellFrame[] } => {
  const header = Buffer.alloc(HEADER_BYTES)
  let held = 0
  let left = 0

  return {
    push(bytes) {
      const frames: ShellFrame[] = []
      for (let at = 0; at < bytes.length; ) {
        if (held < HEADER_BYTES) {
          header[held++] = bytes[at++] ?? 0
          if (held < HEADER_BYTES) continue
          left = header.readUInt32LE(1)
        }
        const data = bytes.subarray(at, at + left)
        at += data.length
        left -= data.length
        if (data.length > 0 || left === 0) frames.push({ id: header[0] ?? 0, data })
        if (left === 0) held = 0
      }
      return frames
    },
  }
}
