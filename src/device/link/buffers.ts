/** Buffers of bytes: one that collects pieces of any size, and one that keeps the chunks of a device until they are read. */

import type { Content } from './link.ts'

const FIRST_CAPACITY = 4_096

export const chunksOf = (content: Content): AsyncIterable<Uint8Array> | Iterable<Uint8Array> =>
  content instanceof Uint8Array ? [content] : content

/** Takes memory in proportion to the bytes and not to the pieces. */
export const growingBuffer = () => {
  let held = Buffer.alloc(0)
  let size = 0
  return {
    size: () => size,
    append(bytes: Uint8Array) {
      if (bytes.length === 0) return
      if (size + bytes.length > held.length) {
        const grown = Buffer.alloc(Math.max(FIRST_CAPACITY, 2 * held.length, size + bytes.length))
        held.copy(grown, 0, 0, size)
        held = grown
      }
      held.set(bytes, size)
      size += bytes.length
    },
    /** Hands over what was collected, and begins with nothing again. */
    take() {
      const taken = held.subarray(0, size)
      held = Buffer.alloc(0)
      size = 0
      return taken
    },
  }
}

/** A device is asked for no more while more than this of what it sent waits to be read. */
const UNREAD_BYTES_MAX = 2 * 1_024 * 1_024

/** Chunks in their order, for one reader at a time. `onRead` is called when one that had to wait has been read. */
export const chunkQueue = (onRead: () => void) => {
  let chunks: Uint8Array[] = []
  let bytes = 0
  let isEnded = false
  let reader: ((chunk: Uint8Array | undefined) => void) | undefined
  const giveReader = (chunk: Uint8Array | undefined) => {
    const give = reader
    reader = undefined
    give?.(chunk)
  }
  return {
    /** True when no more is to be asked for. */
    isFull: () => bytes > UNREAD_BYTES_MAX,
    push(chunk: Uint8Array) {
      if (isEnded || chunk.length === 0) return
      if (reader) return giveReader(chunk)
      chunks.push(chunk)
      bytes += chunk.length
    },
    /** Nothing more comes; what waits can still be read. */
    end() {
      isEnded = true
      giveReader(undefined)
    },
    /** Ends it and drops what was not read. */
    close() {
      chunks = []
      bytes = 0
      isEnded = true
      giveReader(undefined)
    },
    /** Undefined at the end. */
    read(): Promise<Uint8Array | undefined> {
      const chunk = chunks.shift()
      if (chunk) {
        bytes -= chunk.length
        onRead()
        return Promise.resolve(chunk)
      }
      if (isEnded) return Promise.resolve(undefined)
      return new Promise(resolve => {
        reader = resolve
      })
    },
  }
}
