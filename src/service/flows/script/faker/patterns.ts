/** Texts made from a pattern. */
import type { Faker } from '@faker-js/faker'

const DIGITS = '0123456789'

export const patternsOf = ({ helpers, string }: Faker) => {
  const letters = (text: string, isUpper: boolean) =>
    text.replace(/\?/g, () => string.alpha({ casing: isUpper ? 'upper' : 'lower' }))
  const digits = (text: string) => text.replace(/#/g, () => string.fromCharacters(DIGITS))
  return {
    /** Each `#` becomes a digit. */
    numerify: (text: unknown) => digits(String(text)),
    /** Each `?` becomes a letter. */
    letterify: (text: unknown, isUpper = false) => letters(String(text), isUpper === true),
    bothify: (text: unknown, isUpper = false) => letters(digits(String(text)), isUpper === true),
    examplify: (text: unknown) =>
      String(text)
        .replace(/[A-Z]/g, () => string.alpha({ casing: 'upper' }))
        .replace(/[a-z]/g, () => string.alpha({ casing: 'lower' }))
        .replace(/\d/g, () => string.fromCharacters(DIGITS)),
    regexify: (pattern: unknown) => helpers.fromRegExp(pattern instanceof RegExp ? pattern : String(pattern)),
  }
}
