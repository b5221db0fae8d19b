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
export const dayOf = (date: Date) => `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
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
