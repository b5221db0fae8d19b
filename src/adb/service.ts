/** A socket of the adb package as a service of a transport. */
import type { MaybeConsumable, ReadableStream, WritableStream } from '@yume-chan/stream-extra'
import type { Service } from './transport.ts'

export interface StreamSocket {
  readable: ReadableStream<Uint8Array>
  writable: WritableStream<MaybeConsumable<Uint8Array>>
  close(): unknown
}

const ignore = () => {}

export const serviceOf = (socket: StreamSocket, onClose: () => void = ignore): Service => {
  const reader = socket.readable.getReader()
  const writer = socket.writable.getWriter()
  let isOpen = true
  return {
    read: async () => {
      const { done, value } = await reader.read()
      return done ? undefined : value
    },
    write: bytes => writer.write(bytes),
    close() {
      if (!isOpen) return
      isOpen = false
      onClose()
      reader.cancel().catch(ignore)
      // A lost link never answers: nobody waits for this.
      Promise.resolve(socket.close()).catch(ignore)
    },
  }
}
