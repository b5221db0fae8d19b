/** The options of logcat: the entries, the form in which they are printed, and whether to stay. */
import type { LogEntry, LogLevel } from '../phone-parts.ts'
import { LogcatUsage, styleOf } from './logcat-formats.ts'

const LEVELS = ['V', 'D', 'I', 'W', 'E', 'F', 'S'] as const
const BUFFERS = ['main', 'system', 'crash', 'radio', 'events', 'kernel', 'security', 'stats']
const DEFAULT_BUFFERS = ['main', 'system', 'crash']
const VALUED = 'vbtTemrnfGP'
const ON = 'cdgsDLSpB'
const BUNDLE = /^-[cdgsDLSpB]{2,}$/
const LONG: Readonly<Record<string, string>> = {
  ...{ buffer: 'b', format: 'v', clear: 'c', dividers: 'D', regex: 'e', 'max-count': 'm', 'buffer-size': 'g' },
  ...{ binary: 'B', pid: 'pid', uid: 'uid' },
}
const LONG_ONLY = ['pid', 'uid']
const DATE = /^(?:(\d{4})-)?(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)\.(\d{1,9})$/
const MS_PER_SECOND = 1_000

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

/** Options by letter with their values in order, and the words that are none. */
const split = (args: readonly string[]) => {
  const words = args.flatMap(word => (BUNDLE.test(word) ? [...word.slice(1)].map(letter => `-${letter}`) : [word]))
  const options = new Map<string, string[]>()
  const specs: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (!word.startsWith('-') || word === '-') {
      specs.push(word)
      continue
    }
    const [, long, attached] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? []
    const letter = long === undefined ? (word[1] ?? '-') : (LONG[long] ?? '-')
    const valued = LONG_ONLY.includes(letter) || VALUED.includes(letter)
    if (!valued && !ON.includes(letter)) throw new LogcatUsage(`unknown option: ${word}`)
    const inline = long === undefined ? word.slice(2) || undefined : attached
    const value = valued ? (inline ?? words[++index]) : ''
    if (value === undefined) throw new LogcatUsage(`option requires an argument: ${word}`)
    options.set(letter, [...(options.get(letter) ?? []), value])
  }
  return { options, specs }
}

/** Android 12 and later can choose the entries of a user. */
const UID_SDK = 31

interface LogcatSurroundings {
  /** `ANDROID_LOG_TAGS` */
  tags: string | undefined
  now: number
  sdk: number
}

export const readLogcatOptions = (args: readonly string[], { tags, now, sdk }: LogcatSurroundings) => {
  const { options, specs } = split(args)
  if (options.has('uid') && sdk < UID_SDK) throw new LogcatUsage('unrecognized option `--uid`')
  const last = (letter: string) => options.get(letter)?.at(-1)
  const start = last('t') ?? last('T')
  const pid = last('pid')
  const uids = options.get('uid')?.flatMap(list => list.split(',').map(Number))
  const isBinary = options.has('B')
  const text = last('e')
  const pattern = text === undefined ? undefined : new RegExp(text)
  const fits = filterOf(specs.length > 0 ? specs : (tags?.split(/\s+/).filter(Boolean) ?? []), options.has('s'))
  const most = last('m')
  return {
    style: styleOf(options.get('v') ?? []),
    buffers: buffersOf(options.get('b') ?? []),
    /** The first entry: a number of entries from the end, or a time. */
    start: start === undefined ? undefined : startOf(options.has('t') ? 't' : 'T', start, now),
    stay: !options.has('d') && !options.has('t'),
    clear: options.has('c'),
    sizes: options.has('g'),
    most: most === undefined ? Number.POSITIVE_INFINITY : Number(most),
    isBinary,
    /** Tags, levels and patterns choose only among what is printed as text. */
    wants: (entry: LogEntry) =>
      (pid === undefined || entry.pid === Number(pid)) &&
      (uids?.includes(entry.uid) ?? true) &&
      (isBinary || (fits(entry) && (pattern?.test(entry.message) ?? true))),
  }
}

export type LogcatOptions = ReturnType<typeof readLogcatOptions>
