/** The names of Datafaker behind which a method of faker stands that is called with nothing. */
import type { Faker } from '@faker-js/faker'
import type { Provider } from './providers.ts'

/**
 * A provider on each line, with the module of faker behind `:` where it has another name; then its methods: `name`, `name=method`,
 * `name=module.method`, or `name=module.method.member` for a member of the value.
 */
const PLAIN = `
address:location city cityName=city country countryCode state streetName=street streetAddress secondaryAddress timeZone
address:location streetAddressNumber=buildingNumber buildingNumber
airline name=airline.airline.name
airport iata=airline.airport.iataCode name=airline.airport.name
animal name=type
app version=system.semver author=person.fullName
artist name=music.artist
aviation airline=airline.airline.name airport=airline.airport.iataCode aircraft=airline.airplane.name
book title author genre publisher
bool bool=datatype.boolean
business creditCardType=finance.creditCardIssuer securityCode=finance.creditCardCVV
cat:animal name=petName breed=cat
color name=human
commerce productName department material=productMaterial brand=company.name vendor=company.name
company name catchPhrase bs=buzzPhrase buzzword=buzzNoun industry=commerce.department url=internet.url
compass:location cardinal=cardinalDirection ordinal=ordinalDirection
country name=location.country currency=finance.currencyName currencyCode=finance.currencyCode
currency name=finance.currencyName code=finance.currencyCode
demographic demonym=location.country
dog:animal name=petName breed=dog
file extension=system.commonFileExt mimeType=system.mimeType
finance iban bic usRoutingNumber=routingNumber
food dish fruit vegetable ingredient spice meat
gender types=person.gender
hacker abbreviation adjective noun verb ingverb
internet domainName domainWord domainSuffix url image=image.url httpMethod ipV4Address=ipv4 ipV6Address=ipv6 userAgent
internet macAddress=mac port slug=lorem.slug uuid=string.uuid uuidv4=string.uuid
job:person title=jobTitle field=jobArea position=jobType seniority=jobDescriptor
lorem word
money currency=finance.currencyName currencyCode=finance.currencyCode
music genre
name:person firstName lastName middleName name=fullName fullName prefix suffix title=jobTitle
nation language=location.language.name isoCountry=location.countryCode
random nextDouble=number.float nextFloat=number.float nextBoolean=datatype.boolean
rockBand name=music.artist
science element=science.chemicalElement.name elementSymbol=science.chemicalElement.symbol unit=science.unit.name
team state=location.state
vehicle manufacturer make=manufacturer model makeAndModel=vehicle color fuelType=fuel carType=type vin licensePlate=vrm
verb base=word.verb
word adjective adverb conjunction interjection noun preposition verb
zodiac sign=person.zodiacSign
`

type Modules = Readonly<Record<string, Readonly<Record<string, () => unknown>>>>

const methodOf = (modules: Modules, module: string, path: string) => {
  const [owner = '', method = '', member] = path.includes('.') ? path.split('.') : [module, path]
  return () => {
    const value = modules[owner]?.[method]?.()
    return member === undefined ? value : (value as Readonly<Record<string, unknown>>)[member]
  }
}

export const plainProviders = (faker: Faker): Record<string, Provider> => {
  const modules = faker as unknown as Modules
  const providers: Record<string, Provider> = {}
  for (const line of PLAIN.trim().split('\n')) {
    const [head = '', ...entries] = line.split(' ')
    const [provider = '', module = provider] = head.split(':')
    const methods = entries
      .map(entry => entry.split('='))
      .map(([name = '', path = name]) => [name, methodOf(modules, module, path)])
    providers[provider] = { ...providers[provider], ...Object.fromEntries(methods) }
  }
  return providers
}
