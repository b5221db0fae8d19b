/** Splits the arguments into words and flags, by the flags that are known; the global ones are here. */
import type { Flag } from './command.ts'

/** By each name as it is written: `--device`, `--device-id`, `-h`. */
export type FlagTable = ReadonlyMap<string, Flag>

export const flagTable = (flags: readonly Flag[]): FlagTable =>
  new Map(
    flags.flatMap(flag => {
      const names = [flag.name, ...(flag.aliases ?? [])].map(name => `--${name}`)
      return [...names, ...(flag.short === undefined ? [] : [`-${flag.short}`])].map(name => [name, flag] as const)
    }),
  )

export interface SplitArgv {
  /** Flags of svc that stand where flags belong to a script. */
  passedOn: string[]
  /** The command's words and its arguments. */
  words: string[]
  /** Known flags for cac: under their first name, each with its value in one word. */
  flags: string[]
  /** In the order of the arguments: an unknown flag, one without its value, or one with a value that it does not take. */
  problems: ({ unknown: string } | { lacksValue: Flag; written: string } | { message: string })[]
}

/** cac reads `007`, `1e3` and '' as numbers and `-5` as a flag, except behind a NUL, which no argument can hold. */
const MARK = '\0'
export const marked = (text: string): string => `${MARK}${text}`
export const unmarked = (text: string): string => (text.startsWith(MARK) ? text.slice(MARK.length) : text)

/** No flag begins with a digit, so `svc swipe 9 9 9 -5` means a number. */
const NEGATIVE = /^-\.?\d/
const isFlag = (word: string) => word.length > 1 && word.startsWith('-') && !NEGATIVE.test(word)

/** `-xh` is `-x -h`; only `--name` takes a value. */
const namesIn = (word: string): string[] =>
  word.startsWith('--') ? [/^--.[^=]*/s.exec(word)?.[0] ?? word] : Array.from(word.slice(1), letter => `-${letter}`)

/** From the `after`th word on, only the flags of `own` are flags; everything else is a word, as it was written. */
export interface ScriptArguments {
  after: number
  own: FlagTable
}

export const splitArgv = (argv: readonly string[], all: FlagTable, script?: ScriptArguments): SplitArgv => {
  const found: SplitArgv = { words: [], flags: [], problems: [], passedOn: [] }
  const { words, flags, problems, passedOn } = found
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word === '--') return { ...found, words: [...words, ...argv.slice(at + 1)] }
    const names = isFlag(word) ? namesIn(word) : []
    const isInScript = words.length >= (script?.after ?? Infinity)
    const known = isInScript && script ? script.own : all
    const strange = names.filter(name => !known.has(name))
    if (names.length === 0 || (strange.length > 0 && isInScript)) {
      if (names.some(name => all.has(name))) passedOn.push(...names)
      words.push(word)
      continue
    }
    problems.push(...strange.map(unknown => ({ unknown })))
    for (const written of names) {
      const flag = known.get(written)
      if (!flag) continue
      const { name, value } = flag
      const inline = word.length > written.length && word.startsWith('--') ? word.slice(written.length + 1) : undefined
      if (value === undefined) {
        flags.push(`--${name}`)
        if (inline !== undefined) problems.push({ message: `${written} takes no value.` })
        continue
      }
      const isBare = inline === undefined && flag.optional?.test(argv[at + 1] ?? '-') === false
      const text = isBare ? '' : (inline ?? argv[++at])
      flags.push(`--${name}=${marked(text ?? '')}`)
      // A missing value is more likely than a value that begins with `--`.
      if (text === undefined || (inline === undefined && text.startsWith('--'))) {
        problems.push({ lacksValue: flag, written })
      }
    }
  }
  return found
}

export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    name: 'device',
    aliases: ['device-id'],
    value: 'serial',
    summary: 'the device to use (see svc help devices)',
  },
  { name: 'lease', value: 'id', summary: 'the reservation that it belongs to (default SVC_LEASE)' },
  {
    name: 'operator-package',
    value: 'package',
    summary: 'the operator (default SVC_OPERATOR_PACKAGE, else the best)',
  },
  { name: 'output', value: 'json|pretty|text', summary: 'how the result is printed (default SVC_OUTPUT, else json)' },
  { name: 'json', summary: 'the same as --output json' },
  {
    name: 'timeout',
    aliases: ['timeout-ms'],
    value: 'ms',
    summary: 'how long the command may take',
  },
  {
    name: 'policy',
    value: 'file',
    summary: 'the policy file (default SVC_POLICY, else ~/.svc/policy.json)',
  },
  { name: 'no-daemon', summary: 'run in this process (or SVC_NO_DAEMON=1)' },
  { name: 'log-level', value: 'debug|info|warn|error', summary: 'how much is logged on stderr (default warn)' },
  { name: 'verbose', summary: 'print each transition on stderr as it happens' },
  { name: 'help', short: 'h', summary: 'show this help' },
  { name: 'version', summary: 'print the version of svc' },
]
