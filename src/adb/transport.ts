/** The interface of a link to a device, by any route: services that open, and a signal that the device is gone. */
import { setMaxListeners } from 'node:events'
import type { MaybeConsumable, ReadableStream, WritableStream } from '@yume-chan/stream-extra'
import { LinkError } from './link.ts'

/** One open service. `read` gives undefined at its end; all three end at once when the link is lost. */
export interface Service {
  read(): Promise<Uint8Array | undefined>
  write(bytes: Uint8Array): Promise<void>
  close(): void
}

export interface Transport {
  /** Names what the device supports, such as `shell_v2`. */
  readonly features: readonly string[]
  /** A longer service string is corrupted on its way, without an error from anybody. */
  readonly serviceBytesMax: number
  /** Aborted once, with a LinkError. */
  readonly lost: AbortSignal
  /** Rejects with LINK_SOCKET_REFUSED when the device will not; what arrives after `stop` is closed. */
  open(service: string, stop: AbortSignal): Promise<Service>
  /** Asks the device whether it is there; if not, `lost` is aborted when this resolves. Never rejects. */
  probe(): Promise<void>
  close(): void
}

/** The one place where a link's end is said, once. */
export const createLoss = () => {
  const controller = new AbortController()
  // Every call under way listens for it.
  setMaxListeners(0, controller.signal)
  return {
    signal: controller.signal,
    lose(why: string, cause?: unknown) {
      if (!controller.signal.aborted)
        controller.abort(new LinkError('DEVICE_LINK_LOST', why, cause === undefined ? {} : { cause }))
    },
    close() {
      if (!controller.signal.aborted) controller.abort(new LinkError('LINK_CANCELLED', 'the link was closed'))
    },
  }
}
export type Loss = ReturnType<typeof createLoss>

interface StreamSocket {
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
