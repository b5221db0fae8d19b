/** People, their work, and how to reach them. */
import type { Faker } from '@faker-js/faker'
import type { Provider } from './provider.ts'

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
