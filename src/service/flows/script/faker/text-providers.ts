/** Words, sentences, numbers and choices. */
import type { Faker } from '@faker-js/faker'
import type { Provider } from './providers.ts'

const DIGITS_MAX = 15

const numberProvider = ({ number, string }: Faker): Provider => {
  const int = (min: number, max: number) => number.int({ min: Math.min(min, max), max: Math.max(min, max) })
  const ofDigits = (digits: number) => {
    if (!Number.isInteger(digits) || digits < 1 || digits > DIGITS_MAX) {
      throw new RangeError(
        `faker.number().randomNumber takes 1 to ${DIGITS_MAX} digits; use digits(${digits}) for a text.`,
      )
    }
    return int(10 ** (digits - 1), 10 ** digits - 1)
  }
  /** The upper end is not reached, unless both are the same. */
  const numberBetween = (min: unknown, max: unknown) => {
    const [low, high] = [Number(min), Number(max)].sort((a, b) => a - b) as [number, number]
    return int(low, Math.max(low, high - 1))
  }
  return {
    digit: () => string.numeric(1),
    digits: (length: unknown = 1) => string.numeric(Number(length)),
    randomDigit: () => int(0, 9),
    randomDigitNotZero: () => int(1, 9),
    randomNumber: (digits?: unknown) => ofDigits(digits === undefined ? int(1, 9) : Number(digits)),
    numberBetween,
    positive: () => int(1, 2 ** 31 - 1),
    negative: () => -int(1, 2 ** 31),
    randomDouble: (decimals: unknown, min: unknown, max: unknown) =>
      number.float({ min: Number(min), max: Number(max), fractionDigits: Number(decimals) }),
    decimalBetween: (min: unknown, max: unknown) => number.float({ min: Number(min), max: Number(max) }),
  }
}

export const textProviders = (faker: Faker): Record<string, Provider> => {
  const { helpers, lorem, number, string } = faker
  /** Given one length, exactly so long; given two, between them. */
  const characters = (from: unknown = 255, to?: unknown) =>
    string.alphanumeric({
      length: number.int({
        min: Number(from),
        max: typeof to === 'number' ? Math.max(Number(from), to) : Number(from),
      }),
    })
  const fixed = (length: unknown = 10) => {
    let text = ''
    while (text.length < Number(length)) text += `${lorem.sentence()} `
    return text.slice(0, Math.max(0, Number(length)))
  }
  return {
    number: numberProvider(faker),
    lorem: {
      character: () => string.alphanumeric(1),
      characters,
      words: (count: unknown = 3) => lorem.words(Number(count)).split(' '),
      sentence: (words?: unknown) => lorem.sentence(words === undefined ? undefined : Number(words)),
      sentences: (count: unknown = 3) => Array.from({ length: Number(count) }, () => lorem.sentence()),
      paragraph: (sentences?: unknown) => lorem.paragraph(sentences === undefined ? undefined : Number(sentences)),
      paragraphs: (count: unknown = 3) => Array.from({ length: Number(count) }, () => lorem.paragraph()),
      fixedString: fixed,
      maxLengthSentence: fixed,
    },
    text: {
      text: (from: unknown = 20, to?: unknown) => characters(from, to),
      character: () => string.alphanumeric(1),
      lowercaseCharacter: () => string.alpha({ casing: 'lower' }),
      uppercaseCharacter: () => string.alpha({ casing: 'upper' }),
    },
    options: {
      option: (...choices: unknown[]) => {
        const all = choices.length === 1 && Array.isArray(choices[0]) ? choices[0] : choices
        return helpers.arrayElement(all)
      },
      nextElement: (choices: unknown[]) => helpers.arrayElement(choices),
    },
    random: {
      nextInt(from: unknown, to?: unknown) {
        if (from === undefined) return number.int({ min: -(2 ** 31), max: 2 ** 31 - 1 })
        if (to === undefined) return number.int({ min: 0, max: Math.max(0, Number(from) - 1) })
        return number.int({ min: Number(from), max: Number(to) })
      },
      nextLong: (below?: unknown) =>
        number.int({ min: 0, max: below === undefined ? Number.MAX_SAFE_INTEGER : Math.max(0, Number(below) - 1) }),
      hex: (length: unknown = 8) => string.hexadecimal({ length: Number(length), prefix: '', casing: 'upper' }),
    },
  }
}
