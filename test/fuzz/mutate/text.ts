/** Changes of texts by the words that their language has. */
import type { Mutate } from '../target.ts'
import { mutateBytes, oneOf, pieceOf, replaced } from './bytes.ts'
import { DEPTHS, NASTY_TEXTS, someOf } from './words.ts'

const WORD = /[\p{L}\p{N}_.-]+|\s+|[^\p{L}\p{N}_.\s-]/gu

const wordsOf = (input: Buffer): string[] => input.toString('utf8').match(WORD) ?? []

/** Words in the place of words: removed, twice, in another order, or one of the language. */
const byWords =
  (words: readonly [string, ...string[]]): Mutate =>
  (input, { random, other }) => {
    const own = wordsOf(input)
    const at = random.int(0, own.length)
    const end = Math.min(own.length, at + random.int(0, 4))
    const from = random.chance(0.2) ? wordsOf(other()) : own
    const begin = random.int(0, from.length)
    const brought = [
      () => [],
      () => [random.pick(words)],
      () => [random.pick(NASTY_TEXTS)],
      () => from.slice(begin, begin + random.int(1, 6)),
      () => [...own.slice(at, end), ...own.slice(at, end)],
      () => own.slice(at, end).reverse(),
    ]
    const [first, ...rest] = brought
    const pieces = first ? random.pick([first, ...rest])() : []
    return Buffer.from([...own.slice(0, at), ...pieces, ...own.slice(end)].join(''))
  }

/** Nests a piece as deep as brackets of the language allow. */
const byNesting =
  (pairs: readonly [readonly [string, string], ...(readonly [string, string])[]]): Mutate =>
  (input, { random }) => {
    const { at, end } = pieceOf(input, random)
    const [open, close] = random.pick(pairs)
    const depth = someOf(random, DEPTHS)
    const inner = input.subarray(at, end)
    return replaced(
      input,
      at,
      end,
      Buffer.concat([Buffer.from(open.repeat(depth)), inner, Buffer.from(close.repeat(depth))]),
    )
  }

const BRACKETS = [
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
] as const

/** `words`: the key words and signs of the language. `pairs`: what it nests with. */
export const mutateText = (
  words: readonly [string, ...string[]],
  pairs: readonly [readonly [string, string], ...(readonly [string, string])[]] = BRACKETS,
): Mutate => {
  const way = byWords(words)
  return oneOf(way, way, way, way, mutateBytes, mutateBytes, byNesting(pairs))
}
