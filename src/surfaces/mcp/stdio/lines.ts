/** The lines of a stream of bytes, each of a bounded length: what is longer is dropped while it comes. */
import type { RequestId } from '@modelcontextprotocol/server'
import { createMessageIdReader, type MessageIdReader } from './message-id.ts'

export type Line =
  | { kind: 'complete'; bytes: Buffer }
  /** `id` is that of the message, where it can be read. */
  | { kind: 'too-long'; id: RequestId | null }

export interface LineReader {
  push(chunk: Buffer): void
  /** Undefined until more bytes have come. */
  next(): Line | undefined
}

export interface LineLimits {
  /** A longer line is dropped. */
  bytesMax: number
  /** A line that does not end within this many bytes is not read any further. */
  endsWithin: number
}

const NEWLINE = 0x0a
const NOTHING: Buffer = Buffer.alloc(0)

export const createLineReader = ({ bytesMax, endsWithin }: LineLimits): LineReader => {
  let unread: Buffer = NOTHING
  let pieces: Buffer[] = []
  let length = 0
  /** Reads the id of a line that is too long already. */
  let reader: MessageIdReader | undefined
  let isReported = false

  const drop = (piece: Buffer) => {
    const isNew = reader === undefined
    reader ??= createMessageIdReader()
    if (isNew) for (const before of pieces) reader.write(before)
    if (length <= endsWithin) reader.write(piece)
    pieces = []
  }
  const take = (piece: Buffer) => {
    length += piece.length
    if (length > bytesMax) drop(piece)
    else pieces.push(piece)
  }
  const end = (): Line | undefined => {
    const line: Line = reader
      ? { kind: 'too-long', id: reader.id() }
      : { kind: 'complete', bytes: Buffer.concat(pieces) }
    const wasReported = isReported
    pieces = []
    length = 0
    reader = undefined
    isReported = false
    return wasReported ? undefined : line
  }

  return {
    push(chunk) {
      unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    },
    next() {
      while (unread.length > 0) {
        const at = unread.indexOf(NEWLINE)
        take(at < 0 ? unread : unread.subarray(0, at))
        unread = at < 0 ? NOTHING : unread.subarray(at + 1)
        const line = at < 0 ? undefined : end()
        if (line) return line
        if (at < 0 && length > endsWithin && !isReported) {
          isReported = true
          return { kind: 'too-long', id: reader?.id() ?? null }
        }
      }
      return undefined
    },
  }
}
