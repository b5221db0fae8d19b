/** The interface of a link to a device, by any route: services that open, and a signal that the device is gone. */
import { setMaxListeners } from 'node:events'
import { LinkError } from './link.ts'

/** One open service; reading and writing end at once when the link is lost. */
export interface Service {
  /** Undefined at the end of the service, for whatever reason it has ended. One reader at a time. */
  read(): Promise<Uint8Array | undefined>
  /** Resolves when the bytes have left; rejects when the service has ended before. */
  write(bytes: Uint8Array): Promise<void>
  /** The bytes read last may be acknowledged with the next write: for a peer that only answers. Absent where nothing is acknowledged. */
  delayAcknowledgement?(): void
  /** Ends it, and drops what was not read. Safe to call twice. */
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
  /**
   * Serves the streams that the device opens to a destination, until the returned function is called. Absent over an adb
   * server, which serves them itself.
   */
  accept?(destination: string, serve: (service: Service) => void): () => void
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
