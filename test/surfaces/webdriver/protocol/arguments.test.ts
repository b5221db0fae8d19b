/** Wrong arguments are named in words for people. */
import { expect, test } from 'vitest'
import { number, readArguments, someText } from '../../../../src/surfaces/webdriver/protocol/arguments.ts'

const problem = (given: Readonly<Record<string, unknown>>) => {
  try {
    readArguments({ text: someText, at: number }, given, { of: 'mobile: x' })
  } catch (error) {
    return (error as Error).message
  }
  return undefined
}

test.each([
  [{}, 'mobile: x needs the argument text.'],
  [{ text: '', at: 1 }, 'The argument text of mobile: x must not be empty.'],
  [{ text: 'a', at: 'b' }, 'The argument at of mobile: x must be a number, but is another text.'],
  [{ text: 5, at: 1 }, 'The argument text of mobile: x must be a text, but is 5.'],
])('%j', (given, said) => {
  expect(problem(given)).toBe(said)
})

test('a mistyped argument is told the one that is meant', () => {
  expect(problem({ txet: 'a', at: 1 })).toContain('has no argument "txet". Did you mean text?')
})
