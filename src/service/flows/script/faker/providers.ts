/**
 * The providers of `faker`: people and how to reach them, places and dates, things. Those of texts and numbers are in
 * `text-providers.ts`.
 */

import type { Faker } from '@faker-js/faker'

/** A script may hand a method anything. */
export type Method = (...args: never[]) => unknown
/** The object that `faker.name()` returns. */
export type Provider = Readonly<Record<string, Method>>

const DAY_MS = 86_400_000
const UNITS: Readonly<Record<string, number>> = {
  MILLISECONDS: 1,
  SECONDS: 1_000,
  MINUTES: 60_000,
  HOURS: 3_600_000,
  DAYS: DAY_MS,
}

const two = (part: number) => String(part).padStart(2, '0')
const dayOf = (date: Date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
/** Java writes a timestamp so. */
const timestamp = (date: Date) =>
  `${dayOf(date)} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${date.getMilliseconds()}`

const spanMs = (amount: unknown, unit: unknown): number => {
  const unitMs = UNITS[String(unit).toUpperCase()]
  if (unitMs === undefined)
    throw new TypeError(`faker.date(): ${String(unit)} must be one of ${Object.keys(UNITS).join(', ')}.`)
  return Math.max(1, Number(amount) * unitMs)
}

const dateProvider = ({ date, defaultRefDate, number }: Faker): Provider => {
  const shifted = (ms: number) => new Date(defaultRefDate().getTime() + ms)
  const birthdate = (min = 18, max = 65) => date.birthdate({ mode: 'age', min: Number(min), max: Number(max) })
  return {
    birthday: (min?: number, max?: number) => timestamp(birthdate(min, max)),
    birthdayLocalDate: (min?: number, max?: number) => dayOf(birthdate(min, max)),
    past: (amount: unknown = 365, unit: unknown = 'DAYS') =>
      timestamp(shifted(-number.int({ min: 1, max: spanMs(amount, unit) }))),
    future: (amount: unknown = 365, unit: unknown = 'DAYS') =>
      timestamp(shifted(number.int({ min: 1, max: spanMs(amount, unit) }))),
    between: (from: unknown, to: unknown) =>
      timestamp(date.between({ from: new Date(from as string), to: new Date(to as string) })),
  }
}

export const placeProviders = (faker: Faker): Record<string, Provider> => {
  const { airline, helpers, location, number, string } = faker
  const postcode = () => location.zipCode('#####')
  const stateAbbr = () => location.state({ abbreviated: true })
  const date = dateProvider(faker)
  const degrees =
    (unit: string, low: number, high: number) =>
    (min: unknown = low, max: unknown = high) =>
      `${number.int({ min: Number(min), max: Number(max) })}°${unit}`
  return {
    address: {
      stateAbbr,
      zipCode: postcode,
      postcode,
      zipCodePlus4: () => `${postcode()}-${string.numeric(4)}`,
      fullAddress: () => `${location.streetAddress()}, ${location.city()}, ${stateAbbr()} ${postcode()}`,
      mailBox: () => `PO Box ${string.numeric(4)}`,
      latitude: () => `${location.latitude()}`,
      longitude: () => `${location.longitude()}`,
      latLon: () => `${location.latitude()},${location.longitude()}`,
      lonLat: () => `${location.longitude()},${location.latitude()}`,
    },
    country: {
      countryCode2: () => location.countryCode('alpha-2').toLowerCase(),
      countryCode3: () => location.countryCode('alpha-3').toLowerCase(),
    },
    nation: { isoLanguage: () => location.language().alpha2.toUpperCase() },
    compass: { word: () => location.direction().toLowerCase() },
    date,
    timeAndDate: date,
    aviation: { flight: () => `${airline.airline().iataCode}${airline.flightNumber()}` },
    weather: {
      description: () =>
        helpers.arrayElement(['Sunny', 'Partly cloudy', 'Overcast', 'Showers', 'Snow', 'Fog', 'Windy']),
      temperatureCelsius: degrees('C', -30, 38),
      temperatureFahrenheit: degrees('F', -22, 100),
    },
  }
}

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

const BLOOD = ['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-']

export const personProviders = (faker: Faker): Record<string, Provider> => {
  const { internet, person, phone, string, helpers, location, number } = faker
  const oneOf =
    (...choices: readonly string[]) =>
    () =>
      helpers.arrayElement(choices)
  const username = () => `${person.firstName()}.${person.lastName()}`.toLowerCase().replace(/[^a-z.]/g, '')
  const maleFirstName = () => person.firstName('male')
  const national = () => phone.number({ style: 'national' })
  const ssn = () => `${number.int({ min: 100, max: 665 })}-${number.int({ min: 10, max: 99 })}-${string.numeric(4)}`
  const creature = () => `${faker.animal.type()}s`
  const sex = oneOf('Female', 'Male')
  return {
    name: {
      femaleFirstName: () => person.firstName('female'),
      malefirstName: maleFirstName,
      maleFirstName,
      nameWithMiddle: () => `${person.firstName()} ${person.middleName()} ${person.lastName()}`,
      username,
    },
    internet: {
      emailAddress: (localPart?: unknown) =>
        localPart === undefined ? internet.email().toLowerCase() : `${localPart}@${internet.domainName()}`,
      safeEmailAddress: (localPart?: unknown) =>
        localPart === undefined ? internet.exampleEmail().toLowerCase() : `${localPart}@example.com`,
      username,
      password(least = 8, most = 16, hasUpper = false, hasSpecial = false, hasDigit = true) {
        const [low, high] = [Math.max(1, Number(least)), Math.max(1, Number(least), Number(most))]
        const classes = [
          'abcdefghijklmnopqrstuvwxyz',
          ...(hasUpper ? ['ABCDEFGHIJKLMNOPQRSTUVWXYZ'] : []),
          ...(hasDigit ? ['0123456789'] : []),
          ...(hasSpecial ? ['!@#$%^&*'] : []),
        ]
        const length = number.int({ min: low, max: high })
        // One of each class, as far as they fit.
        const sure = classes.slice(0, length).map(characters => string.fromCharacters(characters))
        const rest = [...string.fromCharacters(classes.join(''), length - sure.length)]
        return helpers.shuffle([...sure, ...rest]).join('')
      },
      webdomain: () => `www.${internet.domainName()}`,
      publicIpV4Address: () => internet.ipv4({ cidrBlock: '8.0.0.0/7' }),
      privateIpV4Address: () => internet.ipv4({ network: 'private-a' }),
      uuidv7: () => string.uuid({ version: 7 }),
    },
    phoneNumber: {
      cellPhone: national,
      phoneNumber: national,
      phoneNumberNational: national,
      phoneNumberInternational: () => phone.number({ style: 'international' }),
      extension: () => string.numeric(4),
      subscriberNumber: (length = 4) => string.numeric(Number(length)),
      areaCode: () => `${number.int({ min: 201, max: 989 })}`,
    },
    company: {
      suffix: oneOf('Inc', 'LLC', 'Group', 'and Sons'),
      profession: () => person.jobType().toLowerCase(),
    },
    gender: { binaryTypes: sex, shortBinaryTypes: oneOf('f', 'm') },
    demographic: { sex },
    bloodtype: { bloodGroup: oneOf(...BLOOD) },
    university: {
      name: () => `University of ${location.city()}`,
      prefix: oneOf('The', 'Northern', 'Southern', 'Eastern', 'Western'),
      suffix: oneOf('University', 'Institute', 'College', 'Academy'),
    },
    team: { name: () => `${location.state()} ${creature()}`, creature },
    idNumber: {
      valid: ssn,
      ssnValid: ssn,
      invalid: () => `000-${number.int({ min: 10, max: 99 })}-${string.numeric(4)}`,
    },
  }
}
