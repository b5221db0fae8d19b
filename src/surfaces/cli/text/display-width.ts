/** Counts the columns that a text takes on a terminal, and shortens it to fit. */
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
