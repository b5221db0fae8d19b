/** Section For people, short selectors: a node named by arguments, as its exact label or as a ref, in the place of flags. */
import { quoted } from '../../../service/executions/validation/show.ts'
import type { Given } from '../command.ts'
import { type FlatCommand, matcherOf, misuse, SELECTOR_FLAGS, SELECTOR_HINT } from './command.ts'

export const NODE_ARGUMENT = {
  name: 'node',
  shape: '[label|@ref]',
  summary: 'the node: its exact label (--text), or a ref of a compact snapshot',
  rest: true,
  kind: 'label',
} as const

export const NODE_HINT = `Give the label of the node, a ref such as @12.7, or a selector. ${SELECTOR_HINT}`

/** A ref, well formed or not: a label of this form needs a flag. */
export const REF_LIKE = /^@[\d.]+$/

const UNSAFE_IN_DOUBLE_QUOTES = /["$`\\!]/

/** Quotes a text so that a shell takes it for one word. */
export const inQuotes = (text: string): string =>
  UNSAFE_IN_DOUBLE_QUOTES.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`

interface ShortSelector {
  words: readonly string[]
  /** The argument before the words. */
  before?: string | undefined
  /** The flags that name the node as well. */
  flags: readonly string[]
  /** The one of them that stands for the label. */
  labelFlag: string
}

/** Undefined where there are no words. */
export const matcherOfWords = (call: Given, command: FlatCommand, selector: ShortSelector) => {
  const { words, before, flags, labelFlag } = selector
  const [word, extra] = words
  if (word === undefined) return undefined
  const called = ['svc', ...command.path, ...(before === undefined ? [] : [inQuotes(before)])].join(' ')
  if (extra !== undefined) {
    const hint = `Put a label of several words in quotes: ${called} ${inQuotes(words.join(' '))}`
    throw misuse(command, `${quoted(extra)} is one argument too many`, hint)
  }
  const isRef = REF_LIKE.test(word)
  const present = flags.filter(flag => call.text(flag) !== undefined)
  if (present.length > 0) {
    const written = present.map(flag => `--${flag} ${inQuotes(call.text(flag) ?? '')}`)
    // A ref and a matcher in JSON stand alone, and two labels are one too many.
    const isAlone = isRef || ['selector', labelFlag].some(flag => present.includes(flag))
    const byFlags = [...(isAlone ? [] : [`--${labelFlag} ${inQuotes(word)}`]), ...written].join(' ')
    throw misuse(
      command,
      `${quoted(word)} cannot be combined with ${present.map(flag => `--${flag}`).join(', ')}`,
      `Name the node in one way: ${called} ${isRef ? word : inQuotes(word)}, or ${called} ${byFlags}`,
    )
  }
  return isRef ? { ref: word } : { textEquals: word }
}

const FLAGS = SELECTOR_FLAGS.map(({ name }) => name)

/** The matcher of the words or of the selector flags; undefined where there are none. */
export const selectorOf = (call: Given, command: FlatCommand, words: readonly string[], before?: string): unknown =>
  matcherOfWords(call, command, { words, before, flags: FLAGS, labelFlag: 'text' }) ?? matcherOf(call, command)

export const neededSelector = (call: Given, command: FlatCommand): unknown => {
  const matcher = selectorOf(call, command, call.args)
  if (matcher === undefined) throw misuse(command, 'a selector is missing', NODE_HINT)
  return matcher
}
