/** The log of a simulated phone: a ring of entries for each buffer, bounded in bytes, and those who follow them. */
import type { Clock } from '../runtime/clock.ts'
import { LOG_BUFFERS, type LogBuffer, type LogEntry, type LogLevel, type PhoneLog } from './phone-parts.ts'

/** The size that `logcat -g` reports on a phone as it leaves the factory. */
export const LOG_RING_BYTES = 256 * 1_024
/** The limit of one logger entry: priority byte, tag, NUL, message, NUL. */
export const LOG_PAYLOAD_BYTES = 4_068
/** Counted on top of each payload, so that empty messages fill the ring too. */
const LOG_HEADER_BYTES = 28
const TAG_BYTES_MAX = 128
const DEFAULT_PID = 1_000
const SYSTEM_UID = 1_000
const MICROS_PER_MS = 1_000

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
export const entryBytes = ({ tag, message }: Pick<LogEntry, 'tag' | 'message'>): number =>
  LOG_HEADER_BYTES + FRAMING_BYTES + Buffer.byteLength(tag) + Buffer.byteLength(message)

interface Ring {
  kept: { entry: LogEntry; size: number; order: number }[]
  used: number
}

export const createLog = ({ clock, bytes = LOG_RING_BYTES, pid = DEFAULT_PID }: LogOptions): PhoneLog => {
  const rings = new Map<LogBuffer, Ring>(LOG_BUFFERS.map(buffer => [buffer, { kept: [], used: 0 }]))
  let last = { at: 0, micros: 0 }
  let written = 0
  const followers = new Set<(entry: LogEntry) => void>()

  /** Later than the entry before, also where the clock has not gone on. */
  const nextTime = () => {
    const at = Math.floor(clock.now())
    if (at > last.at) return { at, micros: 0 }
    const micros = last.micros + 1
    return micros < MICROS_PER_MS ? { at: last.at, micros } : { at: last.at + 1, micros: 0 }
  }

  const write: PhoneLog['write'] = (level: LogLevel, rawTag: string, rawMessage: string, source = {}) => {
    const tag = cut(rawTag, TAG_BYTES_MAX)
    const message = cut(rawMessage, LOG_PAYLOAD_BYTES - FRAMING_BYTES - Buffer.byteLength(tag))
    last = nextTime()
    const { pid: from = pid, tid = from, uid = SYSTEM_UID, buffer = 'main' } = source
    const entry: LogEntry = { ...last, pid: from, tid, uid, buffer, level, tag, message }
    const ring = rings.get(buffer)
    const size = entryBytes(entry)
    if (ring) {
      ring.kept.push({ entry, size, order: written++ })
      ring.used += size
      while (ring.used > bytes && ring.kept.length > 1) ring.used -= ring.kept.shift()?.size ?? 0
    }
    for (const follower of [...followers]) follower(entry)
  }

  return {
    write,
    entries: () =>
      [...rings.values()]
        .flatMap(({ kept }) => kept)
        .sort((a, b) => a.order - b.order)
        .map(({ entry }) => entry),
    follow(onEntry) {
      // A wrapper of its own, so that the same listener may follow twice.
      const follower = (entry: LogEntry) => onEntry(entry)
      followers.add(follower)
      return { close: () => void followers.delete(follower) }
    },
    clear(buffers) {
      for (const [name, ring] of rings) if (buffers?.has(name) ?? true) Object.assign(ring, { kept: [], used: 0 })
    },
  }
}
