/** Values of flags that must be whole numbers or one of a few words, and what was probably meant otherwise. */
import { nearest } from '../contracts/nearest-word.ts'
import { type Given, usage } from './command.ts'

/** Begins with a space, to stand behind a sentence; empty when no known word is close. */
export const didYouMean = (word: string, known: readonly string[]): string => {
  const found = nearest(word, known)
  return found === undefined ? '' : ` Did you mean ${found}?`
}

export const wholeNumber = (
  given: Given,
  flag: string,
  { min, max }: { min: number; max: number },
): number | undefined => {
  const text = given.text(flag)
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw usage(`--${flag} must be an integer from ${min} to ${max}; got "${text}".`)
  return value
}

export const oneOf = <const T extends string>(given: Given, flag: string, known: readonly T[]): T | undefined => {
  const text = given.text(flag)
  const found = known.find(each => each === text)
  if (text === undefined || found !== undefined) return found
  throw usage(`--${flag} must be one of ${known.join(', ')}; got "${text}".${didYouMean(text, known)}`)
}
