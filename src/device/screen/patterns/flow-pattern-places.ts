/** The places of a text that the regular expressions of flows name: its ends, those of lines and those of words. */
import { isLineEnd, isWordChar } from './flow-pattern-chars.ts'

/** True at the place before the character with this index, in the text as code points. */
export type PlaceTest = (chars: readonly string[], at: number) => boolean

const isInCrLf: PlaceTest = (chars, at) => chars[at - 1] === '\r' && chars[at] === '\n'
export const isTextStart: PlaceTest = (_chars, at) => at === 0
const isTextEnd: PlaceTest = (chars, at) => at === chars.length
export const isLineStart: PlaceTest = (chars, at) =>
  at === 0 || (at < chars.length && isLineEnd(chars[at - 1] ?? '') && !isInCrLf(chars, at))
export const isBeforeLineEnd: PlaceTest = (chars, at) =>
  at === chars.length || (isLineEnd(chars[at] ?? '') && !isInCrLf(chars, at))
export const isBeforeLastLineEnd: PlaceTest = (chars, at) =>
  at === chars.length ||
  (isBeforeLineEnd(chars, at) && chars.length - at <= (chars[at] === '\r' && chars[at + 1] === '\n' ? 2 : 1))
const isWordEdge: PlaceTest = (chars, at) => isWordChar(chars[at - 1] ?? '') !== isWordChar(chars[at] ?? '')

/** By the letter behind the backslash. */
export const PLACES: Readonly<Record<string, PlaceTest>> = {
  A: isTextStart,
  z: isTextEnd,
  Z: isBeforeLastLineEnd,
  b: isWordEdge,
  B: (chars, at) => !isWordEdge(chars, at),
}
