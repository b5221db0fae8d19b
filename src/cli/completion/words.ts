/** What can follow what on the command line, as the completion scripts of all shells need it. */
import type { Command, Flag } from '../command.ts'
import { GLOBAL_FLAGS } from '../global-flags.ts'

export interface FlagWords {
  /** With dashes, one for each alias. */
  names: readonly string[]
  summary: string
  /** Undefined for a switch; empty for a value that cannot be listed. */
  values: readonly string[] | undefined
  isFile: boolean
}

export interface CommandWords {
  path: readonly string[]
  summary: string
  flags: readonly FlagWords[]
  /** What its argument may be, where that can be listed. */
  values: readonly string[]
  /** Its arguments may be files. */
  takesFiles: boolean
}

const FILE = /\bfile\b/

const flagWords = ({ name, short, aliases = [], value, summary }: Flag): FlagWords => ({
  names: [...[name, ...aliases].map(each => `--${each}`), ...(short === undefined ? [] : [`-${short}`])],
  summary,
  values: value === undefined ? undefined : value.includes('|') ? value.split('|') : [],
  isFile: value !== undefined && FILE.test(value),
})

export const commandWords = (commands: readonly Command[]): CommandWords[] =>
  commands
    .filter(({ internal }) => !internal)
    .map(({ path, summary, flags = [], args = [] }) => ({
      path,
      summary,
      flags: flags.map(flagWords),
      values: args.flatMap(({ values = [] }) => values),
      takesFiles: args.some(({ name, summary }) => FILE.test(name) || FILE.test(summary)),
    }))

export const globalWords = (): FlagWords[] => GLOBAL_FLAGS.map(flagWords)

/** Each word that can come after the words so far: `''` to the first words, `executions` to `list` and `show`. */
export const nextWords = (commands: readonly CommandWords[]): ReadonlyMap<string, readonly string[]> => {
  const next = new Map<string, string[]>()
  const add = (before: readonly string[], word: string) => {
    const known = next.get(before.join(' ')) ?? []
    if (!known.includes(word)) next.set(before.join(' '), [...known, word])
  }
  for (const { path, values } of commands) {
    for (const [index, word] of path.entries()) add(path.slice(0, index), word)
    for (const value of values) add(path, value)
  }
  return next
}
