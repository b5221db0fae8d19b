/** The ports and sockets of a simulated phone on which something listens, by their names in adb's words. */
import { socketPair } from './operator-app/socket-pair.ts'
import type { AppSocket } from './phone-parts.ts'

export type Accept = (socket: AppSocket) => void

export interface PhoneNetwork {
  /** Undefined when nobody listens there. */
  connect(end: string): AppSocket | undefined
  /** False when somebody listens there already. */
  listen(end: string, accept: Accept): boolean
  unlisten(end: string): void
}

/** Gives back each byte: the port of the protocol (RFC 862), and a socket for hosts that try a name. */
const ECHO_ENDS = ['tcp:7', 'localabstract:echo'] as const
const echo: Accept = socket => socket.onData(bytes => socket.write(bytes))

export const createNetwork = (): PhoneNetwork => {
  const listeners = new Map<string, Accept>(ECHO_ENDS.map(end => [end, echo]))
  return {
    connect(end) {
      const accept = listeners.get(end)
      if (!accept) return undefined
      const [near, far] = socketPair()
      accept(far)
      return near
    },
    listen(end, accept) {
      if (listeners.has(end)) return false
      listeners.set(end, accept)
      return true
    },
    unlisten: end => void listeners.delete(end),
  }
}
