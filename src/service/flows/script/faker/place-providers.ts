/** Addresses, countries, and dates. */
import type { Faker } from '@faker-js/faker'
import type { Provider } from './provider.ts'

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
  const { location, string, finance, helpers } = faker
  const postcode = () => location.zipCode('#####')
  const city = () => location.city()
  const street = () => location.street()
  const buildingNumber = () => location.buildingNumber()
  const date = dateProvider(faker)
  return {
    address: {
      city,
      cityName: city,
      country: () => location.country(),
      countryCode: () => location.countryCode(),
      state: () => location.state(),
      stateAbbr: () => location.state({ abbreviated: true }),
      zipCode: postcode,
      postcode,
      zipCodePlus4: () => `${postcode()}-${string.numeric(4)}`,
      streetName: street,
      streetAddress: () => location.streetAddress(),
      streetAddressNumber: buildingNumber,
      buildingNumber,
      secondaryAddress: () => location.secondaryAddress(),
      fullAddress: () =>
        `${location.streetAddress()}, ${city()}, ${location.state({ abbreviated: true })} ${postcode()}`,
      mailBox: () => `PO Box ${string.numeric(4)}`,
      latitude: () => `${location.latitude()}`,
      longitude: () => `${location.longitude()}`,
      latLon: () => `${location.latitude()},${location.longitude()}`,
      lonLat: () => `${location.longitude()},${location.latitude()}`,
      timeZone: () => location.timeZone(),
    },
    country: {
      name: () => location.country(),
      countryCode2: () => location.countryCode('alpha-2').toLowerCase(),
      countryCode3: () => location.countryCode('alpha-3').toLowerCase(),
      currency: () => finance.currencyName(),
      currencyCode: () => finance.currencyCode(),
    },
    nation: {
      language: () => location.language().name,
      isoLanguage: () => location.language().alpha2.toUpperCase(),
      isoCountry: () => location.countryCode('alpha-2'),
    },
    compass: {
      cardinal: () => location.cardinalDirection(),
      ordinal: () => location.ordinalDirection(),
      word: () => location.direction().toLowerCase(),
    },
    date,
    timeAndDate: date,
    airline: { name: () => faker.airline.airline().name },
    airport: { iata: () => faker.airline.airport().iataCode, name: () => faker.airline.airport().name },
    aviation: {
      airline: () => faker.airline.airline().name,
      airport: () => faker.airline.airport().iataCode,
      aircraft: () => faker.airline.airplane().name,
      flight: () => `${faker.airline.airline().iataCode}${faker.airline.flightNumber()}`,
    },
    weather: {
      description: () =>
        helpers.arrayElement(['Sunny', 'Partly cloudy', 'Overcast', 'Showers', 'Snow', 'Fog', 'Windy']),
      temperatureCelsius: (min = -30, max = 38) => `${faker.number.int({ min: Number(min), max: Number(max) })}°C`,
      temperatureFahrenheit: (min = -22, max = 100) => `${faker.number.int({ min: Number(min), max: Number(max) })}°F`,
    },
  }
}
