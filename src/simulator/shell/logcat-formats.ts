/** Prints entries of the log: the forms that `logcat -v` names, and the records that `logcat -B` writes. */
import { withoutEnd } from '../../runtime/text/without-end.ts'
import type { LogEntry } from '../phone-parts.ts'

export class LogcatUsage extends Error {}

const LOG_FORMATS = ['brief', 'long', 'process', 'raw', 'tag', 'thread', 'threadtime', 'time'] as const
type LogFormat = (typeof LOG_FORMATS)[number]

/** Given with `-v` beside a format; of these only the ones that change the time and `uid` are honoured. */
const LOG_MODIFIERS = [
  ...['color', 'descriptive', 'epoch', 'monotonic', 'nsec', 'printable', 'uid', 'usec', 'UTC', 'year', 'zone'],
]
const MS_PER_SECOND = 1_000
const EPOCH_COLUMNS = 19

const fractionOf = ({ at, micros }: LogEntry, { digits }: LogStyle): string =>
  `${String(at % MS_PER_SECOND).padStart(3, '0')}${String(micros).padStart(3, '0')}000`.slice(0, digits)

const timeOf = (entry: LogEntry, style: LogStyle): string => {
  const { at } = entry
  const fraction = fractionOf(entry, style)
  if (style.epoch) return `${String(Math.floor(at / MS_PER_SECOND)).padStart(EPOCH_COLUMNS)}.${fraction}`
  const iso = `${new Date(at).toISOString().replace('T', ' ').slice(0, 'yyyy-mm-dd hh:mm:ss'.length)}.${fraction}`
  const zone = style.zone ? ' +0000' : ''
  return `${style.year ? iso : iso.slice('yyyy-'.length)}${zone}`
}

/** Users with a name of at most five letters are named. */
const USERS: Readonly<Record<number, string>> = { 0: 'root', 2000: 'shell' }

const prefixOf = (entry: LogEntry, style: LogStyle): string => {
  const { level, tag } = entry
  const [pid, tid] = [entry.pid, entry.tid].map(number => String(number).padStart(5))
  const user = style.uid ? (USERS[entry.uid] ?? String(entry.uid)).padStart(5) : undefined
  const [before, spaced] = user === undefined ? ['', ''] : [`${user}:`, `${user} `]
  const time = timeOf(entry, style)
  switch (style.format) {
    case 'brief':
      return `${level}/${tag.padEnd(8)}(${before}${pid}): `
    case 'process':
      return `${level}(${before}${pid}) `
    case 'tag':
      return `${level}/${tag.padEnd(8)}: `
    case 'thread':
      return `${level}(${before}${pid}:${tid}) `
    case 'threadtime':
      return `${time} ${spaced}${pid} ${tid} ${level} ${tag.padEnd(8)}: `
    case 'time':
      return `${time} ${level}/${tag.padEnd(8)}(${before}${pid}): `
    case 'long':
      return `[ ${time} ${before}${pid}:${tid} ${level}/${tag.padEnd(8)} ]\n`
    default:
      return ''
  }
}

/** Every line of a message gets its prefix, but in the forms that print the message as it is. */
export const formatEntry = (entry: LogEntry, style: LogStyle): string => {
  const message = withoutEnd(entry.message, /\n/)
  const prefix = prefixOf(entry, style)
  if (style.format === 'raw') return `${message}\n`
  if (style.format === 'long') return `${prefix}${message}\n\n`
  const suffix = style.format === 'process' ? `  (${entry.tag})\n` : '\n'
  return message
    .split('\n')
    .map(line => prefix + line + suffix)
    .join('')
}

export const styleOf = (names: readonly string[]) => {
  const words = names.flatMap(list => list.split(','))
  const isFormat = (word: string): word is LogFormat => LOG_FORMATS.some(format => format === word)
  const bad = words.find(word => !isFormat(word) && !LOG_MODIFIERS.includes(word))
  if (bad !== undefined) throw new LogcatUsage(`Invalid parameter "${bad}" to -v`)
  return {
    format: words.filter(isFormat).at(-1) ?? 'threadtime',
    epoch: words.includes('epoch'),
    year: words.includes('year'),
    zone: words.includes('zone'),
    uid: words.includes('uid'),
    /** The fraction of a second has so many digits. */
    digits: words.includes('nsec') ? 9 : words.includes('usec') ? 6 : 3,
  }
}

type LogStyle = ReturnType<typeof styleOf>

/** Written before each payload, as liblog writes it: `struct logger_entry` with the user. */
const HEADER_BYTES = 28
const LOG_IDS: Readonly<Record<string, number>> = { main: 0, events: 2, system: 3, crash: 4 }
const PRIORITIES: Readonly<Record<string, number>> = { V: 2, D: 3, I: 4, W: 5, E: 6, F: 7 }
const NANOS_PER_MS = 1_000_000

export const binaryEntry = ({ at, micros, pid, tid, uid, buffer, level, tag, message }: LogEntry): Buffer => {
  const payload = Buffer.from(`\0${tag}\0${message}\0`)
  payload[0] = PRIORITIES[level] ?? 0
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16LE(payload.length, 0)
  header.writeUInt16LE(HEADER_BYTES, 2)
  header.writeInt32LE(pid, 4)
  header.writeUInt32LE(tid, 8)
  header.writeUInt32LE(Math.floor(at / MS_PER_SECOND), 12)
  header.writeUInt32LE((at % MS_PER_SECOND) * NANOS_PER_MS + micros * 1_000, 16)
  header.writeUInt32LE(LOG_IDS[buffer] ?? 0, 20)
  header.writeUInt32LE(uid, 24)
  return Buffer.concat([header, payload])
}
