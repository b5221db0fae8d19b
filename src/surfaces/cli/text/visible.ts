/**
 * Text of devices, skills and files as it may reach a terminal: nothing in it moves the cursor, colours or reorders a
 * line; and the columns that it takes there.
 */

import { once } from '../../../runtime/once.ts'

/** Wide and fullwidth in the East Asian Width of Unicode, or an emoji that is drawn as a picture. */
const WIDE =
  /^(?:[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})/u

/** Marks that combine with what is before them, and characters that are not drawn. */
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u115f\u1160\u3164\uffa0]+$/u

/** Asks for the picture of a character that is a sign otherwise. */
const AS_PICTURE = '\ufe0f'

const PRINTABLE_ASCII = /^[ -~]*$/

/** Takes Node a while to make, and is for text beyond ASCII alone. */
const segmenter = once(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }))

const charactersOf = (text: string): string[] =>
  PRINTABLE_ASCII.test(text) ? Array.from(text) : Array.from(segmenter().segment(text), ({ segment }) => segment)

const characterWidth = (character: string): number => {
  if (INVISIBLE.test(character)) return 0
  return WIDE.test(character) || character.includes(AS_PICTURE) ? 2 : 1
}

/** Scripts that put no blanks between their words: Chinese and Japanese. Korean does. */
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Stays with what is before it: it closes something, or goes on with the same sound. */
const NEVER_FIRST = /^[\p{Pe}\p{Pf}\p{Po}\p{Lm}ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ…]/u

/** Stays with what comes behind it. */
const NEVER_LAST = /[\p{Ps}\p{Pi}]$/u

const isBroken = (before: string, after: string): boolean =>
  (WITHOUT_BLANKS.test(before) || WITHOUT_BLANKS.test(after) || (WIDE.test(before) && NEVER_FIRST.test(before))) &&
  !NEVER_FIRST.test(after) &&
  !NEVER_LAST.test(before)

/** The parts of a word between which a line may end; one, unless it is of a script without blanks. */
export const breakable = (word: string): string[] => {
  if (!WITHOUT_BLANKS.test(word)) return [word]
  const parts: string[] = []
  let before = ''
  for (const character of charactersOf(word)) {
    if (before === '' || isBroken(before, character)) parts.push(character)
    else parts[parts.length - 1] += character
    before = character
  }
  return parts
}

export const displayWidth = (text: string): number => {
  if (PRINTABLE_ASCII.test(text)) return text.length
  return charactersOf(text).reduce((sum, character) => sum + characterWidth(character), 0)
}

/** Cut before the first character that would not fit, with an ellipsis in its place. */
export const shortened = (text: string, width: number): string => {
  if (displayWidth(text) <= width) return text
  let [kept, used] = ['', 0]
  for (const character of charactersOf(text)) {
    used += characterWidth(character)
    if (used > width - 1) break
    kept += character
  }
  return width < 1 ? '' : `${kept.trimEnd()}…`
}

export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - displayWidth(text)))

/** Control characters, separators, invisible characters, and whatever sets the direction of the text around it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const UNSAFE = /[\0-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g
const UNSAFE_IN_LINES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\x1b': '\\e' }

const BYTE_MAX = 0xff
const escapeOf = (character: string): string => {
  const code = character.charCodeAt(0)
  const hex = code.toString(16)
  return NAMED[character] ?? (code > BYTE_MAX ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`)
}

/** On one line, with an escape in the place of each unsafe character. */
export const visible = (text: string): string => text.replace(UNSAFE, escapeOf)

/** The same for text of several lines, which keeps its line feeds and tabs. */
export const visibleLines = (text: string): string => text.replaceAll('\r\n', '\n').replace(UNSAFE_IN_LINES, escapeOf)

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const FIRST_STRONG_ISOLATE = '\u2068'
const POP_ISOLATE = '\u2069'

/** Text that runs from right to left keeps to its own place on the line. */
export const isolated = (text: string): string =>
  RIGHT_TO_LEFT.test(text) ? `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}` : text

const QUOTED = /"(?:[^"\\]|\\.)*"/g

/** A line in which each quoted label keeps to its own place. */
export const withLabels = (line: string): string => line.replace(QUOTED, isolated)

/** A template whose values are visible and isolated; one that is undefined is left out. */
export const safe = (parts: TemplateStringsArray, ...values: readonly (string | number | undefined)[]): string =>
  parts.map((part, at) => part + (values[at] === undefined ? '' : isolated(visible(String(values[at]))))).join('')
