/** Short marks of long texts, as identities of elements hold them. */
import { ELEMENT_TEXT_CHARS_MAX, ELEMENT_WORDS_MAX } from '../../../contracts/device/element-identity.ts'

const HASH_SEEDS = [0xdeadbeef, 0x41c6ce57] as const
const HASH_FACTORS = [2_654_435_761, 1_597_334_677] as const

/** 64 bits in two halves: quick, and the same on every host. */
export const hashOf = (text: string): readonly [number, number] => {
  let [high, low] = HASH_SEEDS as readonly [number, number]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, HASH_FACTORS[0])
    low = Math.imul(low ^ code, HASH_FACTORS[1])
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return [high >>> 0, low >>> 0]
}

export const writtenHash = ([high, low]: readonly [number, number]): string => high.toString(36) + low.toString(36)

export const digestOf = (text: string): string => writtenHash(hashOf(text))

/** No request may carry the character 0, or half of a surrogate pair, which a cut may leave. */
export const cutText = (text: string): string => {
  const cut = text.slice(0, ELEMENT_TEXT_CHARS_MAX)
  return /[\0\ud800-\udfff]/.test(cut) ? cut.replace(/[\0\p{Cs}]/gu, '?') : cut
}

export const isNameText = (text: string): boolean => /\p{L}/u.test(text)

/** Mere figures change by themselves: clocks, counters, percentages. */
export const steadyText = (text: string): string => (isNameText(text) ? text : text.replace(/\p{Nd}+/gu, '0'))

/** A text with letters whose figures count: "Cart (2)" and "Cart (3)" name the same. */
export const nameWithoutFigures = (text: string): string => text.replace(/\p{Nd}+(?:[.,:]\p{Nd}+)*/gu, '0')

/** So many digests, and always the same ones of the same words. */
export const sketchOf = (digests: Iterable<string>): string[] =>
  [...new Set(digests)].sort().slice(0, ELEMENT_WORDS_MAX)
