/** The forms in which `logcat -v` prints an entry. Times are those of a phone set to UTC. */
import type { LogEntry } from '../phone-parts.ts'

export const LOG_FORMATS = ['brief', 'long', 'process', 'raw', 'tag', 'thread', 'threadtime', 'time'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** Given with `-v` beside a format; of these only the ones that change the time are honoured. */
export const LOG_MODIFIERS = [
  'color',
  'descriptive',
  'epoch',
  'monotonic',
  'printable',
  'uid',
  'usec',
  'UTC',
  'year',
  'zone',
]

export interface LogStyle {
  format: LogFormat
  epoch: boolean
  year: boolean
}

const MS_PER_SECOND = 1_000

const timeOf = (at: number, { epoch, year }: LogStyle): string => {
  if (epoch) return (at / MS_PER_SECOND).toFixed(3)
  const iso = new Date(at).toISOString().replace('T', ' ').slice(0, -1)
  return year ? iso : iso.slice('yyyy-'.length)
}

const prefixOf = ({ at, pid: number, level, tag }: LogEntry, style: LogStyle): string => {
  const pid = String(number).padStart(5)
  const time = timeOf(at, style)
  switch (style.format) {
    case 'brief':
      return `${level}/${tag.padEnd(8)}(${pid}): `
    case 'process':
      return `${level}(${pid}) `
    case 'tag':
      return `${level}/${tag.padEnd(8)}: `
    case 'thread':
      return `${level}(${pid}:${pid}) `
    case 'threadtime':
      return `${time} ${pid} ${pid} ${level} ${tag.padEnd(8)}: `
    case 'time':
      return `${time} ${level}/${tag.padEnd(8)}(${pid}): `
    case 'long':
      return `[ ${time} ${pid}:${pid} ${level}/${tag.padEnd(8)} ]\n`
    default:
      return ''
  }
}

/** Every line of a message gets its prefix, but in the forms that print the message as it is. */
export const formatEntry = (entry: LogEntry, style: LogStyle): string => {
  const message = entry.message.replace(/\n+$/, '')
  const prefix = prefixOf(entry, style)
  if (style.format === 'raw') return `${message}\n`
  if (style.format === 'long') return `${prefix}${message}\n\n`
  const suffix = style.format === 'process' ? `  (${entry.tag})\n` : '\n'
  return message
    .split('\n')
    .map(line => prefix + line + suffix)
    .join('')
}
