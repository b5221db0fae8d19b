/** `sleep`, `timeout`, `date`, `id`, `ps` and their like: time, users and processes. */
import { pause } from '../../../runtime/clock.ts'
import { FIRST_APP_PID } from '../../app-processes.ts'
import type { Phone } from '../../phone.ts'
import { type Command, type Context, fail } from '../command.ts'
import { StreamEnded } from '../io.ts'
import { packageEntry, userName } from './package-queries.ts'
import { isRoot } from './properties.ts'

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 }
const MS_PER_SECOND = 1_000
const TIMED_OUT_CODE = 143

const durationOf = (text: string): number | undefined => {
  const [, digits, unit = ''] = /^(\d+\.?\d*|\.\d+)([smhd]?)$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * (UNITS[unit] ?? 1) * MS_PER_SECOND
}

export const sleep: Command = async context => {
  const times = context.args.map(durationOf)
  if (times.length === 0 || times.includes(undefined))
    return fail(context, `sleep: bad time '${context.args.join(' ')}'`)
  await pause(
    context.waits,
    times.reduce<number>((sum, ms) => sum + (ms ?? 0), 0),
    context.signal,
  )
  return 0
}

export const timeout: Command = async context => {
  const { waits, signal, call } = context
  const words = context.args.filter((word, at) => !/^-[sk]$/.test(word) && !/^-[sk]$/.test(context.args[at - 1] ?? ''))
  const [duration = '', ...command] = words
  const ms = durationOf(duration)
  if (ms === undefined || command.length === 0) return fail(context, 'usage: timeout DURATION COMMAND...')
  const ending = new AbortController()
  const timer = waits.at(waits.now() + ms, () => ending.abort())
  try {
    const code = await call(command, { signal: AbortSignal.any([signal, ending.signal]) })
    return ending.signal.aborted ? TIMED_OUT_CODE : code
  } catch (error) {
    if (!ending.signal.aborted || !(error instanceof StreamEnded)) throw error
    return TIMED_OUT_CODE
  } finally {
    timer.cancel()
  }
}

export const id: Command = async ({ args, out, properties }) => {
  if (isRoot({ properties })) {
    if (args[0] === '-u') return out('0\n')
    return out(args[0] === '-un' ? 'root\n' : 'uid=0(root) gid=0(root) groups=0(root) context=u:r:su:s0\n')
  }
  if (args[0] === '-u') await out('2000\n')
  else if (args[0] === '-un') await out('shell\n')
  else
    await out(
      'uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),3003(inet) context=u:r:shell:s0\n',
    )
  return 0
}

export const whoami: Command = ({ out }) => out('shell\n')

export const uname: Command = ({ args, out }) =>
  out(args.includes('-a') ? 'Linux localhost 6.6.0-simulated #1 SMP aarch64 Toybox\n' : 'Linux\n')

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'],
  ...['November', 'December'],
]
const USUAL = '%a %b %e %H:%M:%S %Z %Y'

const two = (value: number, fill = '0') => String(value).padStart(2, fill)

/** `%3N` cuts the nanoseconds to milliseconds. */
const formatDate = (at: number, format: string): string => {
  const date = new Date(at)
  const [day = '', month = ''] = [DAYS[date.getUTCDay()], MONTHS[date.getUTCMonth()]]
  const fraction = `${String(date.getUTCMilliseconds()).padStart(3, '0')}000000`
  const fields: Readonly<Record<string, string>> = {
    ...{ a: day.slice(0, 3), A: day, b: month.slice(0, 3), B: month },
    ...{ Y: String(date.getUTCFullYear()), y: two(date.getUTCFullYear() % 100), m: two(date.getUTCMonth() + 1) },
    ...{ d: two(date.getUTCDate()), e: two(date.getUTCDate(), ' '), H: two(date.getUTCHours()) },
    ...{ M: two(date.getUTCMinutes()), S: two(date.getUTCSeconds()), N: fraction },
    ...{ s: String(Math.floor(at / MS_PER_SECOND)), Z: 'GMT', z: '+0000', u: String(date.getUTCDay() || 7) },
    ...{ F: date.toISOString().slice(0, 10), T: date.toISOString().slice(11, 19), '%': '%', n: '\n', t: '\t' },
  }
  return format.replace(/%(\d?)([A-Za-z%])/g, (whole, digits: string, field: string) =>
    field === 'N' && digits ? fraction.slice(0, Number(digits)) : (fields[field] ?? whole),
  )
}

export const date: Command = async context => {
  const format = context.args.find(word => word.startsWith('+'))?.slice(1) ?? USUAL
  const bad = context.args.find(word => !word.startsWith('+') && word !== '-u')
  if (bad !== undefined) return fail(context, `date: bad date '${bad}'`)
  return context.out(`${formatDate(context.clock.now(), format)}\n`)
}

const SYSTEM: readonly (readonly [string, number, string])[] = [
  ['root', 1, 'init'],
  ['shell', 512, 'adbd'],
  ['system', 1_000, 'system_server'],
]

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const processes = (phone: Phone) => [
  ...SYSTEM.map(([user, pid, name]) => ({ user, pid, name })),
  ...[...phone.packages()]
    .filter(name => !phone.helpers?.isInstalled(name))
    .sort()
    .map((name, at) => ({
      user: userName(packageEntry(phone, name).uid),
      pid: phone.pidOf?.(name) ?? FIRST_APP_PID + at,
      name,
    })),
  ...(phone.processes?.list() ?? []).map(({ pid, words }) => ({ user: 'shell', pid, name: baseName(words[0] ?? '') })),
  ...(phone.helpers?.processes() ?? []).map(({ name, pid }) => ({
    ...{ user: userName(packageEntry(phone, name).uid), pid, name },
  })),
]

/** Undefined for an app that is not installed. */
export const pidOf = (phone: Phone, name: string): number | undefined =>
  processes(phone).find(each => each.name === name)?.pid

/** `-o PID,NAME`: these columns alone. */
const psColumns = async (context: Context, columns: readonly string[]) => {
  const rows = processes(context.phone).map(({ user, pid, name }) => ({
    USER: user,
    PID: String(pid),
    NAME: name,
    ARGS: name,
  }))
  const [first] = rows
  const bad = columns.find(column => first && !(column in first))
  if (bad !== undefined) return fail(context, `ps: bad -o ${bad}`)
  const row = (cells: readonly string[]) =>
    `${cells.map((cell, at) => (at === cells.length - 1 ? cell : cell.padStart(5))).join(' ')}\n`
  const lines = rows.map(each => row(columns.map(column => each[column as keyof typeof each])))
  return context.out(row(columns) + lines.join(''))
}

export const ps: Command = async context => {
  const { phone, args, out } = context
  const columns = args.includes('-o') ? args[args.indexOf('-o') + 1]?.toUpperCase().split(',') : undefined
  if (columns) return await psColumns(context, columns)
  const row = (cells: readonly (string | number)[]) =>
    `${String(cells[0]).padEnd(12)} ${cells
      .slice(1, -1)
      .map(cell => String(cell).padStart(6))
      .join(' ')} ${cells.at(-1)}\n`
  const rows = processes(phone).map(({ user, pid, name }) => row([user, pid, 1, 0, 0, 0, 0, 'S', name]))
  return out(row(['USER', 'PID', 'PPID', 'VSZ', 'RSS', 'WCHAN', 'ADDR', 'S', 'NAME']) + rows.join(''))
}

export const pidof: Command = async ({ args, phone, out }) => {
  const found = processes(phone).filter(({ name }) => args.includes(name))
  if (found.length === 0) return 1
  return out(`${found.map(({ pid }) => pid).join(' ')}\n`)
}

const SIGNALS: Readonly<Record<string, string>> = { 0: 'EXISTS', 1: 'HUP', 2: 'INT', 3: 'QUIT', 9: 'KILL', 15: 'TERM' }

/** `-2`, `-INT`, `-SIGINT` or `-s INT`, and the words after it; TERM where none is named. */
const signalIn = (args: readonly string[]): { signal: string | undefined; rest: readonly string[] } => {
  const [first = '', second = '', ...others] = args
  if (!first.startsWith('-')) return { signal: 'TERM', rest: args }
  const name = (first === '-s' ? second : first.slice(1)).replace(/^SIG/, '')
  const signal = SIGNALS[name] ?? Object.values(SIGNALS).find(known => known === name)
  return { signal, rest: first === '-s' ? others : args.slice(1) }
}

export const kill: Command = async context => {
  const { phone, args } = context
  const { signal, rest } = signalIn(args)
  if (signal === undefined) return fail(context, `kill: ${args[0]?.slice(1)}: bad signal`)
  if (rest.length === 0) return fail(context, 'kill: Usage: kill [-SIGNAL] PID...')
  let code = 0
  for (const word of rest.filter(one => one !== '--')) {
    // With a minus it is a process group: that of a command line has the pid of its shell.
    const pid = Math.abs(Number(word))
    if (phone.processes?.signal(pid, signal) || context.processes.kill(pid)) continue
    code = await fail(context, `kill: ${word}: No such process`)
  }
  return code
}

/** Takes the name of the program, or with -f a part of its command line. */
export const pkill: Command = ({ phone, args }) => {
  const isWhole = args.includes('-f')
  const { signal = 'TERM', rest } = signalIn(args.filter(word => word !== '-f'))
  const [wanted = ''] = rest
  const found = (phone.processes?.list() ?? []).filter(({ words }) =>
    isWhole ? words.join(' ').includes(wanted) : baseName(words[0] ?? '').includes(wanted),
  )
  for (const { pid } of found) phone.processes?.signal(pid, signal)
  return found.length > 0 ? 0 : 1
}
