/** Completes the command line, from the same data as parsing and help. Shells ask `svc __complete`. */

import { type FlagTable, flagTable, GLOBAL_FLAGS, type SplitArgv, splitArgv, unmarked } from '../argv.ts'
import type { Command, Flag, ValueKind } from '../command.ts'
import type { Candidate, LiveValues, ValueQuestion } from '../completion/live-values.ts'
import { isTypable } from '../completion/values/shown-text.ts'
import { TOPICS } from '../help.ts'
import { scriptArgumentsOf } from '../parse.ts'

// The kinds of values that fit a flag; they are looked up when they are asked for.

const SELECTORS: Readonly<Record<string, ValueKind>> = {
  text: 'label',
  'text-contains': 'label',
  id: 'id',
  desc: 'label',
  'desc-contains': 'label',
  ref: 'ref',
  role: 'role',
}

/** By the name of the flag, in whichever command. */
export const FLAG_KINDS: Readonly<Record<string, ValueKind>> = {
  ...SELECTORS,
  ...Object.fromEntries(Object.entries(SELECTORS).map(([name, kind]) => [`container-${name}`, kind])),
  label: 'label',
  'label-id': 'id',
  'label-desc': 'label',
  'label-ref': 'ref',
  device: 'device',
  lease: 'lease',
  app: 'app',
  since: 'execution',
  from: 'execution',
  rerun: 'test-run',
  resume: 'test-run',
  'skill-id': 'skill',
  machine: 'machine',
}

/** A ref of git is none of a screen, and a time is no execution. */
const OTHER_VALUES: readonly (string | undefined)[] = ['git-ref', 'time']

const kindOfFlag = ({ name, value }: Flag): ValueKind | undefined =>
  OTHER_VALUES.includes(value) ? undefined : FLAG_KINDS[name]

/** A selector that is given already leaves no room for a label beside it. */
export const SELECTOR_FLAGS: readonly string[] = [...Object.keys(SELECTORS), 'selector', 'coordinate', 'app']

/** `files`: the shell adds the names of files. */
export interface Candidates {
  words: readonly Candidate[]
  files: boolean
}

export interface CompleteOptions {
  /** All words after `svc`; the last one is being written. */
  words: readonly string[]
  commands: readonly Command[]
  live: LiveValues
}

const FILE = /\bfile\b/

const plain = (words: readonly string[], summary = ''): Candidate[] => words.map(word => ({ word, summary }))

/** Behind a blank, the parser takes a word that begins with two dashes for a forgotten value. */
const isValue = ({ word }: Candidate) => !word.startsWith('--')

/** The parser would read these arguments as a flag, a ref or a point. */
const OTHERWISE_READ = [/^-(?!\.?\d)./, /^@[\d.]+$/, /^-?[\d.]+(?:\s*,\s*|\s+)-?[\d.]+$/]
const isLabelArgument = ({ word }: Candidate) => !OTHERWISE_READ.some(form => form.test(word))

const NONE: Candidates = { words: [], files: false }

/** A value that cannot be listed gets no candidates. */
const valuesOf = async (
  flag: Flag,
  { live, question }: { live: LiveValues; question: ValueQuestion },
): Promise<Candidates> => {
  const { value = '', summary } = flag
  const kind = kindOfFlag(flag)
  if (kind !== undefined) return { words: await live(kind, question), files: false }
  return { words: value.includes('|') ? plain(value.split('|'), summary) : [], files: FILE.test(value) }
}

/** The values of the flags that are written already. */
const flagReader =
  ({ flags }: SplitArgv) =>
  (name: string): string | undefined => {
    const written = flags.findLast(each => each === `--${name}` || each.startsWith(`--${name}=`))
    return written === undefined ? undefined : unmarked(written.slice(`--${name}=`.length))
  }

const argumentValues = async (
  command: Command | undefined,
  index: number,
  { live, question }: { live: LiveValues; question: ValueQuestion },
): Promise<readonly Candidate[]> => {
  const kind = command?.args?.[index]?.kind
  if (!kind) return []
  if (kind !== 'label') return live(kind, question)
  if (SELECTOR_FLAGS.some(flag => question.text(flag) !== undefined)) return []
  return question.current.startsWith('@') ? live('ref', question) : (await live(kind, question)).filter(isLabelArgument)
}

const flagName = ([name, { summary }]: readonly [string, Flag]): Candidate[] => plain([name], summary)

/** Command words and listed arguments after the words that are complete. */
const wordsAfter = (
  before: readonly string[],
  offered: readonly Command[],
  command: Command | undefined,
): Candidates => {
  const next = new Map<string, Candidate>()
  for (const { path, summary } of offered) {
    const word = path[before.length]
    if (word === undefined || !before.every((each, index) => each === path[index]) || next.has(word)) continue
    next.set(word, { word, summary: path.length === before.length + 1 ? summary : '' })
  }
  const { path = [], args = [] } = command ?? {}
  const argument = args[Math.min(before.length - path.length, args.length - 1)]
  const isFile = args.some(({ name, summary }) => FILE.test(name) || FILE.test(summary))
  return { words: [...next.values(), ...plain(argument?.values ?? [], argument?.summary)], files: isFile }
}

/** The command with the longest path that the words begin with. */
const commandIn = (offered: readonly Command[], words: readonly string[]): Command | undefined =>
  offered
    .filter(({ path }) => path.every((part, index) => words[index] === part))
    .sort((a, b) => b.path.length - a.path.length)[0]

interface Line {
  /** The command's words and arguments. */
  written: readonly string[]
  command: Command | undefined
  /** The flags that count at the cursor. */
  known: FlagTable
  /** The word belongs to the script of this skill. */
  skill: string | undefined
  text: ValueQuestion['text']
}

const readLine = (before: readonly string[], offered: readonly Command[]): Line => {
  const every = flagTable([...GLOBAL_FLAGS, ...offered.flatMap(({ flags = [] }) => flags)])
  const command = commandIn(offered, splitArgv(before, every).words)
  const all = flagTable([...GLOBAL_FLAGS, ...(command?.flags ?? [])])
  const script = command && scriptArgumentsOf(command, all)
  const split = splitArgv(before, command ? all : every, script)
  const isInScript = script !== undefined && split.words.length >= script.after
  const skill = isInScript ? split.words[script.after - 1] : undefined
  return { written: split.words, command, known: isInScript ? script.own : all, skill, text: flagReader(split) }
}

const HELP = 'help'

export const candidatesFor = async ({ words, commands, live }: CompleteOptions): Promise<Candidates> => {
  const before = words.slice(0, -1)
  const current = words.at(-1) ?? ''
  const offered = commands.filter(({ internal }) => !internal)
  const { written, command, known, skill, text } = readLine(before, offered)

  const [, inline] = /^(--[^=]+)=/s.exec(current) ?? []
  const prefix = inline === undefined ? '' : `${inline}=`
  const look = { live, question: { current: current.slice(prefix.length), text } }
  const startingWith = ({ words: found, files }: Candidates): Candidates => ({
    words: found
      .map(each => ({ ...each, word: prefix + each.word }))
      .filter(({ word }) => word.startsWith(current) && isTypable(word)),
    files,
  })
  const flag = known.get(inline ?? before.at(-1) ?? '')
  if (flag?.value !== undefined) {
    const values = await valuesOf(flag, look)
    return startingWith(inline === undefined ? { ...values, words: values.words.filter(isValue) } : values)
  }
  if (inline !== undefined) return NONE
  if (current.startsWith('-')) {
    const ofScript = skill === undefined ? [] : await live('skill-flag', { ...look.question, skill })
    return startingWith({ words: [...ofScript, ...[...known].flatMap(flagName)], files: false })
  }
  if (command?.path[0] === HELP) {
    const { words: names } = wordsAfter(written.slice(1), offered, undefined)
    const topics = TOPICS.filter(() => written.length === 1).map(({ name, summary }) => ({ word: name, summary }))
    const others = topics.filter(({ word }) => !names.some(name => name.word === word))
    return startingWith({ words: [...names, ...others], files: false })
  }
  const listed = wordsAfter(written, offered, command)
  const looked = await argumentValues(command, written.length - (command?.path.length ?? 0), look)
  return startingWith({ ...listed, words: [...listed.words, ...looked] })
}
