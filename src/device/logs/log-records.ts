/**
 * Reads what `logcat -B` writes: records with a header of their own, whose messages stay whole whatever is in them.
 * https://cs.android.com/android/platform/superproject/+/main:system/logging/liblog/include/log/log_read.h (struct logger_entry)
 */

import { LOG_LEVELS, type LogLevelName } from '../../contracts/device/logs.ts'
import { LinkError } from '../link/link.ts'

export interface LogRecord {
  sec: number
  nsec: number
  pid: number
  tid: number
  /** Undefined on a device that does not tell. */
  uid: number | undefined
  /** The buffer, as the device numbers them. */
  buffer: number
  /** The payload: priority, tag, NUL, message, NUL. */
  payload: Buffer
}

export const SYSTEM_BUFFER = 3

/** Until the user was added, and since. */
const HEADER_BYTES = { least: 20, withUid: 28, most: 128 } as const
/** Far above what a log entry can have. */
const PAYLOAD_BYTES_MAX = 32 * 1_024
/** `V` is 2. */
const FIRST_PRIORITY = 2

/** Cuts chunks of any size into records; throws where they are none. */
export const createRecordReader = () => {
  let held: Buffer = Buffer.alloc(0)
  return function* read(chunk: Uint8Array): Generator<LogRecord> {
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const bytes = held.length === 0 ? fresh : Buffer.concat([held, fresh])
    let at = 0
    while (bytes.length - at >= HEADER_BYTES.least) {
      const length = bytes.readUInt16LE(at)
      const header = bytes.readUInt16LE(at + 2)
      if (header < HEADER_BYTES.least || header > HEADER_BYTES.most || length > PAYLOAD_BYTES_MAX)
        throw new LinkError('DEVICE_LINK_LOST', 'the log reader of the device wrote something that is no log record')
      const end = at + header + length
      if (end > bytes.length) break
      yield {
        pid: bytes.readInt32LE(at + 4),
        tid: bytes.readUInt32LE(at + 8),
        sec: bytes.readUInt32LE(at + 12),
        nsec: bytes.readUInt32LE(at + 16),
        buffer: header >= HEADER_BYTES.least + 4 ? bytes.readUInt32LE(at + 20) & 0xf : 0,
        uid: header >= HEADER_BYTES.withUid ? bytes.readUInt32LE(at + 24) : undefined,
        payload: bytes.subarray(at + header, end),
      }
      at = end
    }
    held = bytes.subarray(at)
  }
}

/** The place of the level of a record among the levels. */
export const rankOf = ({ payload }: LogRecord): number =>
  Math.max(0, Math.min(LOG_LEVELS.length - 1, (payload[0] ?? FIRST_PRIORITY) - FIRST_PRIORITY))

export const levelOf = (record: LogRecord): LogLevelName => LOG_LEVELS[rankOf(record)] ?? 'verbose'

const NUL = 0
const NEWLINE = 0x0a

/** Tag and message, as logcat prints them: without the line ends after the last word. */
export const wordsOf = ({ payload }: LogRecord): { tag: string; message: string } => {
  const split = payload.indexOf(NUL, 1)
  if (split < 0) return { tag: payload.toString('utf8', 1), message: '' }
  let end = payload.length
  while (end > split + 1 && (payload[end - 1] === NUL || payload[end - 1] === NEWLINE)) end--
  return { tag: payload.toString('utf8', 1, split), message: payload.toString('utf8', split + 1, end) }
}

/** Microseconds: what logcat tells of a time at most that all systems tell. */
const MICROS_DIGITS = 6
const NANOS_PER_MICRO = 1_000
const MS_PER_SECOND = 1_000

/** Makes the text of the second once for all lines of it. */
export const createTimeText = () => {
  let known = { sec: -1, text: '' }
  return ({ sec, nsec }: Pick<LogRecord, 'sec' | 'nsec'>): string => {
    if (known.sec !== sec)
      known = { sec, text: new Date(sec * MS_PER_SECOND).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss.'.length) }
    return `${known.text}${String(Math.floor(nsec / NANOS_PER_MICRO)).padStart(MICROS_DIGITS, '0')}Z`
  }
}
