/** The names of Datafaker, as flows use them. */
import { expect, test } from 'vitest'
import { randomOf } from '../../../../src/service/flows/run/script-calls.ts'
import { ScriptFailure } from '../../../../src/service/flows/script/script-answer.ts'
import { outcomeOf, place, startScripts } from './start-scripts.ts'

test.each([
  ['faker.name().firstName()', /^[A-Z][A-Za-z'-]+$/],
  ['faker.name().fullName()', /^\S+ .+/],
  ['faker.internet().emailAddress()', /^[^@\s]+@[^@\s]+\.[a-z]+$/],
  ['faker.internet().emailAddress("me")', /^me@/],
  ['faker.internet().password(10, 12, true, true)', /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!@#$%^&*]).{10,12}$/],
  ['faker.internet().uuid()', /^[\da-f]{8}-[\da-f]{4}-4/],
  ['faker.number().randomNumber()', /^\d+$/],
  ['faker.number().randomNumber(6)', /^[1-9]\d{5}$/],
  ['faker.number().digits(20)', /^\d{20}$/],
  ['faker.number().numberBetween(3, 4)', /^3$/],
  ['faker.address().city()', /^[A-Z]/],
  ['faker.address().fullAddress()', /^\d+ .+, .+ \d{5}$/],
  ['faker.lorem().word()', /^[a-z]+$/],
  ['faker.lorem().words(4).length', /^4$/],
  ['faker.lorem().characters(12)', /^[A-Za-z\d]{12}$/],
  ['faker.phoneNumber().cellPhone()', /^\(\d{3}\) \d{3}-\d{4}$/],
  ['faker.company().name()', /^[A-Z]/],
  ['faker.commerce().price(5, 6)', /^[56]\.\d\d$/],
  ['faker.date().birthdayLocalDate(20, 30)', /^\d{4}-\d\d-\d\d$/],
  ['faker.date().future(2, "DAYS")', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+$/],
  ['faker.bool().bool()', /^(true|false)$/],
  ['faker.options().option("a", "b")', /^[ab]$/],
  ['faker.random().nextInt(5)', /^[0-4]$/],
  ['faker.business().creditCardNumber()', /^\d{4}-\d{4}-\d{4}-\d+$/],
  ['faker.code().isbn13()', /^97\d{11}$/],
  ['faker.numerify("##-##")', /^\d\d-\d\d$/],
  ['faker.bothify("?#", true)', /^[A-Z]\d$/],
  ['faker.regexify("[a-c]{4}x")', /^[a-c]{4}x$/],
  ["faker.expression('#{name.firstName} #{Name.last_name}')", /^[A-Za-z'-]+ [A-Za-z'-]+$/],
  ["faker.expression('#{number.number_between \\'7\\',\\'8\\'}')", /^7$/],
])('%s', async (source, shape) => {
  expect(outcomeOf(await startScripts().evaluate(source, place()))).toMatch(shape)
})

test('every method of every provider has a value', async () => {
  const source = `
    const failed = []
    for (const provider of Object.keys(faker)) {
      if (faker[provider].length > 0) continue
      const made = faker[provider]()
      if (typeof made !== 'object') continue
      for (const method of Object.keys(made)) {
        const args = { between: ['2020-01-01', '2020-02-01'], option: [1, 2], nextElement: [[1]], numberBetween: [1, 2], decimalBetween: [1, 2], randomDouble: [2, 1, 2] }[method] ?? []
        const value = made[method](...args)
        if (value === undefined || value === '' || Number.isNaN(value) || /undefined|NaN/.test(String(value))) failed.push(provider + '.' + method + ': ' + value)
      }
    }
    failed`
  const answer = await startScripts().evaluate(source, place())
  expect(answer).toMatchObject({ ok: true, value: [] })
})

test.each([
  ['faker.nam()', 'TypeError: faker has no nam. The nearest is name.'],
  ['faker.name().fistName()', 'TypeError: faker.name() has no fistName. The nearest is firstName.'],
  ["faker.expression('#{name.frstName}')", 'TypeError: faker.name() has no frstName. The nearest is firstName.'],
  [
    'faker.number().randomNumber(40)',
    'RangeError: faker.number().randomNumber takes 1 to 15 digits; use digits(40) for a text.',
  ],
  ['faker.bool().qqq()', 'TypeError: faker.bool() has no qqq. It has bool.'],
])('a name that there is not: %s', async (source, problem) => {
  expect(outcomeOf(await startScripts().evaluate(source, place()))).toBe(problem)
})

test.each([
  ['text', /^[A-Za-z\d]{8}$/],
  ['number', /^[1-9]\d{7}$/],
  ['email', /@/],
  ['personName', /^\S+ .+/],
  ['cityName', /^[A-Z]/],
  ['countryName', /^[A-Z]/],
  ['colorName', /^[a-z ]+$/],
] as const)('random input: %s', async (kind, shape) => {
  const random = () => randomOf(startScripts(), { kind, length: 8 }, place())
  const value = await random()
  expect(value).toMatch(shape)
  expect(await random(), 'with the same seed').toBe(value)
})

test('random input of any length, within reason', async () => {
  const scripts = startScripts()
  expect(await randomOf(scripts, { kind: 'number', length: 1 }, place())).toMatch(/^[1-9]$/)
  expect(await randomOf(scripts, { kind: 'text', length: 10_000 }, place())).toHaveLength(10_000)
  await expect(randomOf(scripts, { kind: 'text', length: 0 }, place())).rejects.toThrow('from 1 to 10000; it is 0.')
  const over = {
    evaluate: async () => ({ ok: false, kind: 'timeout', problem: 'over', logs: [], effects: [] }) as const,
  }
  await expect(randomOf(over, { kind: 'text', length: 1 }, place())).rejects.toThrow(ScriptFailure)
})
