/** Cuts a stream of bytes into lines of text, each of bounded length, whatever pieces the bytes come in. */

import { LOG_LINE_BYTES_MAX } from '../../../../contracts/limits/limits.ts'
import { growingBuffer } from '../../../link/buffers.ts'

export interface Line {
  text: string
  /** `cut`: it was too long and the rest is dropped. `stream`: the stream ended before the line did. */
  end: 'newline' | 'cut' | 'stream'
}

const NEWLINE = 0x0a

export const lineCutter = (bytesMax = LOG_LINE_BYTES_MAX) => {
  const held = growingBuffer()
  let dropping = false

  const take = (end: Line['end']): Line => {
    const text = held.take().toString('utf8')
    return { text: text.endsWith('\r') ? text.slice(0, -1) : text, end }
  }

  return {
    push(bytes: Uint8Array): Line[] {
      const lines: Line[] = []
      for (let start = 0; start < bytes.length; ) {
        const newline = bytes.indexOf(NEWLINE, start)
        const stop = newline === -1 ? bytes.length : newline
        if (!dropping) {
          const room = bytesMax - held.size()
          held.append(bytes.subarray(start, Math.min(stop, start + room)))
          if (stop - start > room) {
            lines.push(take('cut'))
            dropping = true
          }
        }
        if (newline === -1) break
        if (dropping) dropping = false
        else lines.push(take('newline'))
        start = newline + 1
      }
      return lines
    },
    /** The stream has ended: hands out a last line that had no newline. */
    end(): Line[] {
      dropping = false
      return held.size() === 0 ? [] : [take('stream')]
    },
  }
}
