/** Completes the command line, from the same data as parsing and help. Shells ask `svc __complete`. */
import { flagTable, GLOBAL_FLAGS, splitArgv } from './argv.ts'
import type { Command, Flag } from './command.ts'
import { TOPICS } from './help/topics.ts'
import { scriptArgumentsOf } from './parse.ts'

export interface Candidate {
  word: string
  summary: string
}

/** `files`: the shell adds the names of files. */
export interface Candidates {
  words: Candidate[]
  files: boolean
}

export interface CompleteOptions {
  /** All words after `svc`; the last one is being written. */
  words: readonly string[]
  commands: readonly Command[]
  serials(): Promise<readonly string[]>
}

const FILE = /\bfile\b/

const plain = (words: readonly string[], summary = ''): Candidate[] => words.map(word => ({ word, summary }))

/** A value that cannot be listed gets no candidates. */
const valuesOf = async ({ name, value = '', summary }: Flag, { serials }: CompleteOptions): Promise<Candidates> => {
  if (name === 'device') return { words: plain(await serials(), 'device'), files: false }
  return { words: value.includes('|') ? plain(value.split('|'), summary) : [], files: FILE.test(value) }
}

const flagName = ([name, { summary }]: readonly [string, Flag]): Candidate[] => plain([name], summary)

/** Command words and arguments after the words that are complete. */
const wordsAfter = (before: readonly string[], shown: readonly Command[], command: Command | undefined): Candidates => {
  const next = new Map<string, Candidate>()
  for (const { path, summary } of shown) {
    const word = path[before.length]
    if (word === undefined || !before.every((each, index) => each === path[index]) || next.has(word)) continue
    next.set(word, { word, summary: path.length === before.length + 1 ? summary : '' })
  }
  const { path = [], args = [] } = command ?? {}
  const argument = args[Math.min(before.length - path.length, args.length - 1)]
  const isFile = args.some(({ name, summary }) => FILE.test(name) || FILE.test(summary))
  return { words: [...next.values(), ...plain(argument?.values ?? [], argument?.summary)], files: isFile }
}

export const candidatesFor = async (options: CompleteOptions): Promise<Candidates> => {
  const { words, commands } = options
  const before = words.slice(0, -1)
  const current = words.at(-1) ?? ''
  const shown = commands.filter(({ internal }) => !internal)
  const every = flagTable([...GLOBAL_FLAGS, ...shown.flatMap(({ flags = [] }) => flags)])
  const written = splitArgv(before, every).words
  const command = shown.find(({ path }) => path.every((part, index) => written[index] === part))
  const flags = [...GLOBAL_FLAGS, ...(command?.flags ?? [])]
  const all = flagTable(flags)
  const script = command && scriptArgumentsOf(command, all)
  const known = script && written.length >= script.after ? script.own : all

  const [, inline] = /^(--[^=]+)=/.exec(current) ?? []
  const flag = known.get(inline ?? before.at(-1) ?? '')
  const startingWith = ({ words: found, files }: Candidates, prefix = ''): Candidates => ({
    words: found.map(each => ({ ...each, word: prefix + each.word })).filter(({ word }) => word.startsWith(current)),
    files,
  })
  if (flag?.value !== undefined) {
    const values = await valuesOf(flag, options)
    return startingWith(values, inline === undefined ? '' : `${inline}=`)
  }
  if (current.startsWith('-')) return startingWith({ words: [...known].flatMap(flagName), files: false })
  if (written[0] === 'help') {
    const { words: names } = wordsAfter(written.slice(1), shown, undefined)
    const topics = TOPICS.filter(() => written.length === 1).map(({ name, summary }) => ({ word: name, summary }))
    const others = topics.filter(({ word }) => !names.some(name => name.word === word))
    return startingWith({ words: [...names, ...others], files: false })
  }
  return startingWith(wordsAfter(written, shown, command))
}
