/** The options of logcat: the entries, the form in which they are printed, and whether to stay. */
import type { LogEntry, LogLevel } from '../phone-parts.ts'

const LOG_FORMATS = ['brief', 'long', 'process', 'raw', 'tag', 'thread', 'threadtime', 'time'] as const
type LogFormat = (typeof LOG_FORMATS)[number]

/** Given with `-v` beside a format; of these only the ones that change the time are honoured. */
const LOG_MODIFIERS = ['color', 'descriptive', 'epoch', 'monotonic', 'printable', 'uid', 'usec', 'UTC', 'year', 'zone']

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

const LEVELS = ['V', 'D', 'I', 'W', 'E', 'F', 'S'] as const
const BUFFERS = ['main', 'system', 'crash', 'radio', 'events', 'kernel', 'security', 'stats']
const DEFAULT_BUFFERS = ['main', 'system', 'crash']
const VALUED = 'vbtTemrnfGP'
const ON = 'cdgsDLSpB'
const BUNDLE = /^-[cdgsDLSpB]{2,}$/
const LONG: Readonly<Record<string, string>> = {
  ...{ buffer: 'b', format: 'v', clear: 'c', dividers: 'D', regex: 'e', 'max-count': 'm', 'buffer-size': 'g' },
  pid: 'pid',
}
const DATE = /^(?:(\d{4})-)?(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{1,9})$/
const MS_PER_SECOND = 1_000

export class LogcatUsage extends Error {}

const rank = (level: LogLevel | 'S') => LEVELS.indexOf(level)

const startOf = (letter: string, text: string, now: number): { last: number } | { since: number } => {
  if (/^\d+$/.test(text)) return { last: Number(text) }
  if (/^\d+\.\d+$/.test(text)) return { since: Math.floor(Number(text) * MS_PER_SECOND) }
  const [whole, year = String(new Date(now).getUTCFullYear()), ...parts] = DATE.exec(text) ?? []
  const [month, day, hours, minutes, seconds, fraction = ''] = parts
  const since = Date.parse(
    `${year}-${month}-${day}T${hours}:${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`,
  )
  if (whole === undefined || Number.isNaN(since)) {
    throw new LogcatUsage(`-${letter} "${text}" not in "%m-%d %H:%M:%S.%q" time format`)
  }
  return { since }
}

const filterOf = (specs: readonly string[], silent: boolean) => {
  const byTag = new Map<string, number>()
  let others = silent ? rank('S') : rank('V')
  for (const spec of specs) {
    const colon = spec.lastIndexOf(':')
    const tag = colon < 0 ? spec : spec.slice(0, colon)
    const letter = colon < 0 ? '' : spec.slice(colon + 1, colon + 2).toUpperCase()
    const level = letter === '' || letter === '*' ? (tag === '*' ? 'D' : 'V') : LEVELS.find(known => known === letter)
    if (level === undefined) throw new LogcatUsage(`Invalid filter expression '${spec}'`)
    if (tag === '*') others = rank(level)
    else byTag.set(tag, rank(level))
  }
  return ({ tag, level }: LogEntry) => rank(level) >= (byTag.get(tag) ?? others)
}

const buffersOf = (names: readonly string[]): ReadonlySet<string> => {
  const wanted = new Set<string>()
  for (const name of names.flatMap(list => list.split(','))) {
    if (name !== 'all' && name !== 'default' && !BUFFERS.includes(name))
      throw new LogcatUsage(`Unknown buffer '${name}'`)
    for (const one of name === 'all' ? BUFFERS : name === 'default' ? DEFAULT_BUFFERS : [name]) wanted.add(one)
  }
  return wanted.size > 0 ? wanted : new Set(DEFAULT_BUFFERS)
}

const styleOf = (names: readonly string[]) => {
  const words = names.flatMap(list => list.split(','))
  const isFormat = (word: string): word is LogFormat => LOG_FORMATS.some(format => format === word)
  const bad = words.find(word => !isFormat(word) && !LOG_MODIFIERS.includes(word))
  if (bad !== undefined) throw new LogcatUsage(`Invalid parameter "${bad}" to -v`)
  return {
    format: words.filter(isFormat).at(-1) ?? 'threadtime',
    epoch: words.includes('epoch'),
    year: words.includes('year'),
  }
}

type LogStyle = ReturnType<typeof styleOf>

/** Options by letter with their values in order, and the words that are none. */
const split = (args: readonly string[]) => {
  const words = args.flatMap(word => (BUNDLE.test(word) ? [...word.slice(1)].map(letter => `-${letter}`) : [word]))
  const given = new Map<string, string[]>()
  const specs: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (!word.startsWith('-') || word === '-') {
      specs.push(word)
      continue
    }
    const [, long, attached] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? []
    const letter = long === undefined ? (word[1] ?? '-') : (LONG[long] ?? '-')
    const valued = letter === 'pid' || VALUED.includes(letter)
    if (!valued && !ON.includes(letter)) throw new LogcatUsage(`unknown option: ${word}`)
    const inline = long === undefined ? word.slice(2) || undefined : attached
    const value = valued ? (inline ?? words[++index]) : ''
    if (value === undefined) throw new LogcatUsage(`option requires an argument: ${word}`)
    given.set(letter, [...(given.get(letter) ?? []), value])
  }
  return { given, specs }
}

export const readLogcatOptions = (args: readonly string[], tags: string | undefined, now: number) => {
  const { given, specs } = split(args)
  const last = (letter: string) => given.get(letter)?.at(-1)
  const start = last('t') ?? last('T')
  const pid = last('pid')
  const text = last('e')
  const pattern = text === undefined ? undefined : new RegExp(text)
  const fits = filterOf(specs.length > 0 ? specs : (tags?.split(/\s+/).filter(Boolean) ?? []), given.has('s'))
  const most = last('m')
  return {
    style: styleOf(given.get('v') ?? []),
    buffers: buffersOf(given.get('b') ?? []),
    /** The first entry: a number of entries from the end, or a time. */
    start: start === undefined ? undefined : startOf(given.has('t') ? 't' : 'T', start, now),
    stay: !given.has('d') && !given.has('t'),
    clear: given.has('c'),
    sizes: given.has('g'),
    most: most === undefined ? Number.POSITIVE_INFINITY : Number(most),
    wants: (entry: LogEntry) =>
      fits(entry) && (pid === undefined || entry.pid === Number(pid)) && (pattern?.test(entry.message) ?? true),
  }
}

export type LogcatOptions = ReturnType<typeof readLogcatOptions>
