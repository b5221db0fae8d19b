/** People, their work, and how to reach them. */
import type { Faker } from '@faker-js/faker'
import type { Provider } from './provider.ts'

const BLOOD = ['A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-']
const BCP_GENDERS = ['Female', 'Male'] as const

export const personProviders = (faker: Faker): Record<string, Provider> => {
  const { company, internet, person, phone, string, helpers, location, number } = faker
  const username = () => `${person.firstName()}.${person.lastName()}`.toLowerCase().replace(/[^a-z.]/g, '')
  const fullName = () => person.fullName()
  const national = () => phone.number({ style: 'national' })
  return {
    name: {
      firstName: () => person.firstName(),
      femaleFirstName: () => person.firstName('female'),
      malefirstName: () => person.firstName('male'),
      maleFirstName: () => person.firstName('male'),
      lastName: () => person.lastName(),
      middleName: () => person.middleName(),
      name: fullName,
      fullName,
      nameWithMiddle: () => `${person.firstName()} ${person.middleName()} ${person.lastName()}`,
      prefix: () => person.prefix(),
      suffix: () => person.suffix(),
      title: () => person.jobTitle(),
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
      domainName: () => internet.domainName(),
      domainWord: () => internet.domainWord(),
      domainSuffix: () => internet.domainSuffix(),
      url: () => internet.url(),
      webdomain: () => `www.${internet.domainName()}`,
      image: () => faker.image.url(),
      httpMethod: () => internet.httpMethod(),
      ipV4Address: () => internet.ipv4(),
      publicIpV4Address: () => internet.ipv4({ cidrBlock: '8.0.0.0/7' }),
      privateIpV4Address: () => internet.ipv4({ network: 'private-a' }),
      ipV6Address: () => internet.ipv6(),
      macAddress: () => internet.mac(),
      port: () => internet.port(),
      slug: () => faker.lorem.slug(),
      uuid: () => string.uuid(),
      uuidv4: () => string.uuid(),
      uuidv7: () => string.uuid({ version: 7 }),
      userAgent: () => internet.userAgent(),
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
      name: () => company.name(),
      suffix: () => helpers.arrayElement(['Inc', 'LLC', 'Group', 'and Sons']),
      catchPhrase: () => company.catchPhrase(),
      bs: () => company.buzzPhrase(),
      buzzword: () => company.buzzNoun(),
      industry: () => faker.commerce.department(),
      profession: () => person.jobType().toLowerCase(),
      url: () => internet.url(),
    },
    job: {
      title: () => person.jobTitle(),
      field: () => person.jobArea(),
      position: () => person.jobType(),
      seniority: () => person.jobDescriptor(),
    },
    gender: {
      types: () => person.gender(),
      binaryTypes: () => helpers.arrayElement(BCP_GENDERS),
      shortBinaryTypes: () => helpers.arrayElement(['f', 'm']),
    },
    demographic: { sex: () => helpers.arrayElement(BCP_GENDERS), demonym: () => location.country() },
    bloodtype: { bloodGroup: () => helpers.arrayElement(BLOOD) },
    zodiac: { sign: () => person.zodiacSign() },
    university: {
      name: () => `University of ${location.city()}`,
      prefix: () => helpers.arrayElement(['The', 'Northern', 'Southern', 'Eastern', 'Western']),
      suffix: () => helpers.arrayElement(['University', 'Institute', 'College', 'Academy']),
    },
    team: {
      name: () => `${location.state()} ${faker.animal.type()}s`,
      state: () => location.state(),
      creature: () => `${faker.animal.type()}s`,
    },
    idNumber: {
      valid: () => `${number.int({ min: 100, max: 665 })}-${number.int({ min: 10, max: 99 })}-${string.numeric(4)}`,
      ssnValid: () => `${number.int({ min: 100, max: 665 })}-${number.int({ min: 10, max: 99 })}-${string.numeric(4)}`,
      invalid: () => `000-${number.int({ min: 10, max: 99 })}-${string.numeric(4)}`,
    },
  }
}
