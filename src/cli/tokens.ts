/**
 * Arguments as words and flags, over `node:util` parseArgs: it costs next to nothing at start-up, and unlike packages
 * that guess types it leaves `--text 007` alone.
 */
import { parseArgs } from 'node:util'
import type { Flag } from './command.ts'

export interface OptionToken {
  kind: 'option'
  /** Of the argument that it stands in. */
  index: number
  /** Without dashes, the alias that was written. */
  name: string
  /** As it was written, with its dashes. */
  rawName: string
  value?: string | undefined
  /** Written as `--name=value`. */
  inlineValue?: boolean | undefined
}

export type Token =
  | OptionToken
  | { kind: 'positional'; index: number; value: string }
  | { kind: 'option-terminator'; index: number }

export const namesOf = (flag: Flag): string[] => [flag.name, ...(flag.aliases ?? [])]

export const flagsByName = (flags: readonly Flag[]): ReadonlyMap<string, Flag> =>
  new Map(flags.flatMap(flag => namesOf(flag).map(name => [name, flag])))

/** No flag begins with a digit, so `svc swipe 9 9 9 -5` means a number; no argument of a process can hold a NUL. */
const NEGATIVE = /^-\.?\d/
const MARK = '\0'

const unmarked = (token: Token): Token =>
  token.kind !== 'option-terminator' && token.value?.startsWith(MARK)
    ? { ...token, value: token.value.slice(MARK.length) }
    : token

/** A flag that is not among `flags` counts as a switch. */
export const tokensOf = (argv: readonly string[], flags: readonly Flag[]): Token[] => {
  const options = Object.fromEntries(
    flags.flatMap(flag =>
      namesOf(flag).map((name, index) => [
        name,
        {
          type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
          ...(flag.short !== undefined && index === 0 ? { short: flag.short } : {}),
        },
      ]),
    ),
  )
  const args = argv.map(word => (NEGATIVE.test(word) ? `${MARK}${word}` : word))
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true })
  return (tokens as Token[]).map(unmarked)
}

export const wordsOf = (tokens: readonly Token[]): string[] =>
  tokens.flatMap(token => (token.kind === 'positional' ? [token.value] : []))

export const optionsOf = (tokens: readonly Token[]): OptionToken[] =>
  tokens.flatMap(token => (token.kind === 'option' ? [token] : []))
