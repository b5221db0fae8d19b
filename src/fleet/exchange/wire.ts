/** The part of NATS that the exchange uses: messages that may be lost. */

import { isFromSender } from '../log/message-origin.ts'
import type { FleetConnection } from '../servers/connection.ts'

export interface Heard {
  subject: string
  data: Uint8Array
  reply: string | undefined
  /** The servers say that nobody listens where the message went to whose reply this is. */
  isNobodyThere: boolean
}

const PAYLOAD_UNLESS_TOLD = 1_024 * 1_024

export const wireOf = ({ nc, isUp, onChange }: FleetConnection) => ({
  isUp,
  onChange,
  /** The largest message that the servers accept. */
  maxPayload: () => nc.info?.max_payload ?? PAYLOAD_UNLESS_TOLD,
  /** False if it was certainly not sent. */
  publish(subject: string, payload: Uint8Array, reply?: string) {
    // While the link is down the client would keep it, and send it at a time when nobody waits for it.
    if (!isUp()) return false
    try {
      nc.publish(subject, payload, reply === undefined ? {} : { reply })
      return true
    } catch {
      return false
    }
  },
  subscribe(subject: string, hear: (heard: Heard) => void): { close(): void } {
    const subscription = nc.subscribe(subject, {
      callback(error, message) {
        if (error || !isFromSender(message.headers, 'live')) return
        const isNobodyThere = message.data.length === 0 && message.headers?.code === 503
        hear({ subject: message.subject, data: message.data, reply: message.reply, isNobodyThere })
      },
    })
    return { close: () => subscription.unsubscribe() }
  },
  /** Resolves once the servers have what was published; rejects when the link is lost. */
  flush: () => nc.flush(),
})

export type Wire = ReturnType<typeof wireOf>
