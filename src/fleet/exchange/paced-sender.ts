/** Long messages on their way out: one of each kind in line, and no more at once than the servers have taken. */
import { type Clock, pause } from '../../runtime/clock.ts'
import { BURST_BYTES, FLUSH_MS, OUTBOX_MAX } from './limits.ts'
import type { Wire } from './wire.ts'

interface Waiting {
  reply: string
  /** Made when it is sent. */
  make(): Uint8Array
}

export const createOutbox = (wire: Wire, clock: Clock) => {
  const waiting = new Map<string, Waiting>()
  let isSending = false
  /** Since the servers were last known to have taken everything. */
  let sent = 0

  const taken = async () => {
    const ended = new AbortController()
    await Promise.race([wire.flush().catch(() => {}), pause(clock, FLUSH_MS, ended.signal)])
    ended.abort()
  }

  const sendAll = async () => {
    isSending = true
    for (const [key, { reply, make }] of waiting) {
      waiting.delete(key)
      const payload = make()
      wire.publish(reply, payload)
      sent += payload.length
      if (sent < BURST_BYTES) continue
      await taken()
      sent = 0
    }
    isSending = false
  }

  return {
    /** An entry under the same key is replaced, so that it goes to the newer reply. */
    add(key: string, message: Waiting) {
      if (!waiting.has(key) && waiting.size >= OUTBOX_MAX) return
      waiting.set(key, message)
      if (!isSending) void sendAll()
    },
  }
}
