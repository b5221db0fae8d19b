/** Things: goods, money, colours, media. */
import type { Faker } from '@faker-js/faker'
import { dayOf } from './place-providers.ts'
import type { Provider } from './provider.ts'

const CARD_GROUP = /\d{4}(?=\d)/g

export const dataProviders = (faker: Faker): Record<string, Provider> => {
  const { color, commerce, finance, string, word } = faker
  const creditCard = () => finance.creditCardNumber('###############L').replace(CARD_GROUP, '$&-')
  const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
  const isbn = (variant: 10 | 13) => () => commerce.isbn({ variant, separator: '' })
  const hash = (length: number) => () => string.hexadecimal({ length, prefix: '', casing: 'lower' })
  return {
    color: { hex: () => color.rgb({ format: 'hex', casing: 'upper' }) },
    commerce: {
      price: (min: unknown = 0, max: unknown = 100) => commerce.price({ min: Number(min), max: Number(max) }),
      promotionCode: (digits: unknown = 6) =>
        `${capitalised(word.adjective())}${capitalised(word.noun())}${string.numeric(Number(digits))}`,
    },
    finance: { creditCard },
    business: {
      creditCardNumber: creditCard,
      creditCardExpiry: () => `${dayOf(faker.date.future({ years: 5 })).slice(0, 7)}-01`,
    },
    code: {
      isbn10: isbn(10),
      isbn13: isbn(13),
      ean13: () => commerce.upc().padStart(13, '0'),
      imei: () => faker.phone.imei().replaceAll('-', ''),
    },
    app: { name: () => capitalised(word.noun()) },
    file: { fileName: () => faker.system.filePath().slice(1) },
    hashing: { md5: hash(32), sha1: hash(40), sha256: hash(64), sha512: hash(128) },
  }
}
