/** Run rules of the skills CLI: unknown trailing tokens pass on as they were written, and everything after `--` does. */
import type { Flag } from './command.ts'
import type { Token } from './tokens.ts'

export interface PassedOn {
  argv: readonly string[]
  tokens: readonly Token[]
  /** The flags that are ours, by each of their names. */
  known: ReadonlyMap<string, Flag>
  /** How many words come before the first argument. */
  after: number
}

export interface Split {
  /** Ours: the flags, and what is unknown before the first argument. */
  tokens: Token[]
  /** The first argument, and what passes on. */
  args: string[]
}

export const passedOn = ({ argv, tokens, known, after }: PassedOn): Split => {
  const terminator = tokens.find(({ kind }) => kind === 'option-terminator')
  const end = terminator?.index ?? argv.length
  // One argument such as -xh is several tokens; it is ours only when all of them are.
  const foreign = new Set(tokens.flatMap(each => (each.kind === 'option' && !known.has(each.name) ? [each.index] : [])))
  const ours: Token[] = []
  const args: string[] = []
  const written = new Set<number>()
  let words = 0
  for (const token of tokens) {
    if (token.index >= end) break
    const isTrailing = args.length > 0
    if (token.kind === 'positional') {
      words += 1
      if (words > after) args.push(token.value)
    } else if (!isTrailing || !foreign.has(token.index)) {
      ours.push(token)
    } else {
      if (!written.has(token.index)) args.push(argv[token.index] ?? '')
      written.add(token.index)
    }
  }
  return { tokens: ours, args: [...args, ...argv.slice(end + 1)] }
}
