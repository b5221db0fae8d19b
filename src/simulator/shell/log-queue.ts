/** Queues log entries for a reader: bounded, the oldest entries are dropped first, and their number is told. */
import { entryBytes, LOG_RING_BYTES } from '../log.ts'
import type { LogEntry, PhoneLog } from '../phone-parts.ts'

export interface LogBatch {
  /** Entries that were dropped before these. */
  lost: number
  entries: readonly LogEntry[]
}

export interface LogQueue {
  /** All that has come since the last call, as soon as there is something; undefined once closed. */
  take(): Promise<LogBatch | undefined>
  close(): void
}

export const followLog = (log: PhoneLog, wants: (entry: LogEntry) => boolean, bytes = LOG_RING_BYTES): LogQueue => {
  let entries: LogEntry[] = []
  let used = 0
  let lost = 0
  let closed = false
  let wake: (() => void) | undefined

  const follower = log.follow(entry => {
    if (!wants(entry)) return
    entries.push(entry)
    used += entryBytes(entry)
    while (used > bytes && entries.length > 1) {
      const oldest = entries.shift()
      if (oldest) used -= entryBytes(oldest)
      lost++
    }
    wake?.()
  })

  return {
    async take() {
      while (entries.length === 0 && !closed) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      if (closed) return undefined
      const batch = { lost, entries }
      entries = []
      used = 0
      lost = 0
      return batch
    },
    close() {
      if (closed) return
      closed = true
      follower.close()
      entries = []
      wake?.()
    },
  }
}
