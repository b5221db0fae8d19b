/** The log of a simulated phone: a ring of entries bounded in bytes, and those who follow it. */
import type { Clock } from '../runtime/clock.ts'
import type { LogEntry, LogLevel, PhoneLog } from './phone-parts.ts'

/** The size that `logcat -g` reports on a phone as it leaves the factory. */
export const LOG_RING_BYTES = 256 * 1_024
/** The limit of one logger entry: priority byte, tag, NUL, message, NUL. */
export const LOG_PAYLOAD_BYTES = 4_068
/** Counted on top of each payload, so that empty messages fill the ring too. */
const LOG_HEADER_BYTES = 28
const TAG_BYTES_MAX = 128
const DEFAULT_PID = 1_000

interface LogOptions {
  clock: Clock
  bytes?: number
  /** The pid that the entries carry. */
  pid?: number
}

/** The longest start of the text that fits, never half a character. */
const cut = (text: string, bytes: number): string => {
  if (text.length * 3 <= bytes) return text
  const encoded = Buffer.from(text)
  if (encoded.length <= bytes) return text
  let end = bytes
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end--
  return encoded.toString('utf8', 0, end)
}

const FRAMING_BYTES = 3

/** The size at which an entry counts against a bound. */
export const entryBytes = ({ tag, message }: LogEntry): number =>
  LOG_HEADER_BYTES + FRAMING_BYTES + Buffer.byteLength(tag) + Buffer.byteLength(message)

export const createLog = ({ clock, bytes = LOG_RING_BYTES, pid = DEFAULT_PID }: LogOptions): PhoneLog => {
  let ring: { entry: LogEntry; size: number }[] = []
  let used = 0
  const followers = new Set<(entry: LogEntry) => void>()

  const write = (level: LogLevel, rawTag: string, rawMessage: string) => {
    const tag = cut(rawTag, TAG_BYTES_MAX)
    const message = cut(rawMessage, LOG_PAYLOAD_BYTES - FRAMING_BYTES - Buffer.byteLength(tag))
    const entry: LogEntry = { at: clock.now(), pid, level, tag, message }
    const size = entryBytes(entry)
    ring.push({ entry, size })
    used += size
    while (used > bytes && ring.length > 1) used -= ring.shift()?.size ?? 0
    for (const follower of [...followers]) follower(entry)
  }

  return {
    write,
    entries: () => ring.map(({ entry }) => entry),
    follow(onEntry) {
      // A wrapper of its own, so that the same listener may follow twice.
      const follower = (entry: LogEntry) => onEntry(entry)
      followers.add(follower)
      return { close: () => void followers.delete(follower) }
    },
    clear() {
      ring = []
      used = 0
    },
  }
}
