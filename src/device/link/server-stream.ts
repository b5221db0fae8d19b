/** One connection to the adb server: a conversation in its words, and then perhaps the bytes of a service. */
import type { Socket } from 'node:net'
import { chunkQueue } from './buffers.ts'
import type { Service } from './transport.ts'

/** The server ended the connection in the middle of its answer, or its answer is none. */
export class ServerStreamError extends Error {}

const WORD_BYTES = 4
const HEX_LENGTH = /^[0-9a-f]{4}$/i

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

export type ServerStream = ReturnType<typeof serverStream>

export const serverStream = (socket: Socket) => {
  /** The rest of the chunk that was read last: nobody has asked for these bytes yet. */
  let left: Uint8Array = new Uint8Array()
  let isOpen = true
  const resume = () => {
    if (!unread.isFull()) socket.resume()
  }
  const unread = chunkQueue(resume)
  socket.on('data', data => {
    unread.push(data)
    if (unread.isFull()) socket.pause()
  })
  // The reason stays with the socket.
  socket.on('error', () => unread.end())
  socket.on('end', () => unread.end())
  socket.on('close', () => unread.end())

  const write = (bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      socket.write(bytes, error => (error ? reject(error) : resolve()))
    })
  const close = () => {
    isOpen = false
    unread.close()
    socket.resume()
    socket.destroySoon()
  }

  const readExactly = async (length: number): Promise<Buffer> => {
    const parts = [left]
    let bytes = left.length
    left = new Uint8Array()
    while (bytes < length) {
      const chunk = await unread.read()
      if (!chunk) throw socket.errored ?? new ServerStreamError('the adb server closed the connection')
      parts.push(chunk)
      bytes += chunk.length
    }
    const all = Buffer.concat(parts)
    left = all.subarray(length)
    return all.subarray(0, length)
  }
  const readString = async (): Promise<string> => {
    const length = textOf(await readExactly(WORD_BYTES))
    if (!HEX_LENGTH.test(length)) throw new ServerStreamError(`Unexpected length: ${length}`)
    return textOf(await readExactly(Number.parseInt(length, 16)))
  }
  /** Rejects with the words of the server where it refuses. */
  const readOkay = async (): Promise<void> => {
    const word = textOf(await readExactly(WORD_BYTES))
    if (word === 'OKAY') return
    throw word === 'FAIL' ? new Error(await readString()) : new ServerStreamError(`Unexpected response: ${word}`)
  }

  return {
    readExactly,
    readString,
    readOkay,
    writeString(text: string): Promise<void> {
      const bytes = Buffer.from(text)
      return write(Buffer.concat([Buffer.from(bytes.length.toString(16).padStart(WORD_BYTES, '0')), bytes]))
    },
    close,
    /** The rest of the connection. */
    service: (onClose: () => void): Service => ({
      read() {
        const first = left
        left = new Uint8Array()
        return first.length > 0 ? Promise.resolve(first) : unread.read()
      },
      write,
      close() {
        if (!isOpen) return
        onClose()
        left = new Uint8Array()
        close()
      },
    }),
  }
}
