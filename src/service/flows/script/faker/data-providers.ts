/** Things: goods, money, colours, media, animals, food. */
import type { Faker } from '@faker-js/faker'
import type { Provider } from './provider.ts'

const CARD_GROUP = /\d{4}(?=\d)/g

export const dataProviders = (faker: Faker): Record<string, Provider> => {
  const { animal, book, color, commerce, finance, food, hacker, music, science, string, system, vehicle } = faker
  const cardNumber = () => finance.creditCardNumber('###############L').replace(CARD_GROUP, '$&-')
  const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
  return {
    color: { name: () => color.human(), hex: () => color.rgb({ format: 'hex', casing: 'upper' }) },
    commerce: {
      productName: () => commerce.productName(),
      department: () => commerce.department(),
      material: () => commerce.productMaterial(),
      brand: () => faker.company.name(),
      vendor: () => faker.company.name(),
      price: (min: unknown = 0, max: unknown = 100) => commerce.price({ min: Number(min), max: Number(max) }),
      promotionCode: (digits: unknown = 6) =>
        `${capitalised(faker.word.adjective())}${capitalised(faker.word.noun())}${string.numeric(Number(digits))}`,
    },
    finance: {
      creditCard: cardNumber,
      iban: () => finance.iban(),
      bic: () => finance.bic(),
      usRoutingNumber: () => finance.routingNumber(),
    },
    business: {
      creditCardNumber: cardNumber,
      creditCardType: () => finance.creditCardIssuer(),
      creditCardExpiry: () => {
        const date = faker.date.future({ years: 5 })
        return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-01`
      },
      securityCode: () => finance.creditCardCVV(),
    },
    money: { currency: () => finance.currencyName(), currencyCode: () => finance.currencyCode() },
    currency: { name: () => finance.currencyName(), code: () => finance.currencyCode() },
    code: {
      isbn10: () => commerce.isbn({ variant: 10, separator: '' }),
      isbn13: () => commerce.isbn({ variant: 13, separator: '' }),
      ean13: () => commerce.upc().padStart(13, '0'),
      imei: () => faker.phone.imei().replaceAll('-', ''),
    },
    app: {
      name: () => capitalised(faker.word.noun()),
      version: () => system.semver(),
      author: () => faker.person.fullName(),
    },
    file: {
      fileName: () => system.filePath().slice(1),
      extension: () => system.commonFileExt(),
      mimeType: () => system.mimeType(),
    },
    book: {
      title: () => book.title(),
      author: () => book.author(),
      genre: () => book.genre(),
      publisher: () => book.publisher(),
    },
    music: { genre: () => music.genre() },
    artist: { name: () => music.artist() },
    animal: { name: () => animal.type() },
    cat: { name: () => animal.petName(), breed: () => animal.cat() },
    dog: { name: () => animal.petName(), breed: () => animal.dog() },
    food: {
      dish: () => food.dish(),
      fruit: () => food.fruit(),
      vegetable: () => food.vegetable(),
      ingredient: () => food.ingredient(),
      spice: () => food.spice(),
      meat: () => food.meat(),
    },
    hacker: {
      abbreviation: () => hacker.abbreviation(),
      adjective: () => hacker.adjective(),
      noun: () => hacker.noun(),
      verb: () => hacker.verb(),
      ingverb: () => hacker.ingverb(),
    },
    science: {
      element: () => science.chemicalElement().name,
      elementSymbol: () => science.chemicalElement().symbol,
      unit: () => science.unit().name,
    },
    vehicle: {
      manufacturer: () => vehicle.manufacturer(),
      make: () => vehicle.manufacturer(),
      model: () => vehicle.model(),
      makeAndModel: () => vehicle.vehicle(),
      color: () => vehicle.color(),
      fuelType: () => vehicle.fuel(),
      carType: () => vehicle.type(),
      vin: () => vehicle.vin(),
      licensePlate: () => vehicle.vrm(),
    },
    rockBand: { name: () => music.artist() },
  }
}
