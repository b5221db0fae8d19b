/** What of `svc skills run` is ours, and what is the script's. */
import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands/all.ts'
import { parse } from '../../src/cli/parse.ts'

const given = (...words: string[]) => {
  const parsed = parse(COMMANDS, ['skills', 'run', ...words])
  if (parsed.kind !== 'run') throw new Error(parsed.kind)
  const { args, text, isOn } = parsed.given
  return { args, device: text('device'), timeout: text('timeout'), expected: text('expect-contains'), isOn }
}

describe('the arguments of the script', () => {
  test.each([
    ['words', ['a.b', 'one', 'two'], ['one', 'two']],
    ['unknown flags with and without values', ['a.b', '--level', '5', '--x=1', '-v'], ['--level', '5', '--x=1', '-v']],
    ['short flags in one word, once', ['a.b', '-xyz', '-n5'], ['-xyz', '-n5']],
    ['negative numbers and a dash', ['a.b', '-5', '-'], ['-5', '-']],
    ['empty words', ['a.b', '', ' '], ['', ' ']],
    ['a word in which only one letter is ours', ['a.b', '-xh'], ['-xh']],
    ['all after --', ['a.b', '--', '--device', 'd', '--', '--help'], ['--device', 'd', '--', '--help']],
    ['nothing', ['a.b'], []],
  ])('%s', (_name, words, expected) => {
    expect(given(...words).args).toEqual(['a.b', ...expected])
  })
})

test('our flags are found between them, in any place', () => {
  const mixed = given(
    '--device',
    'd1',
    'a.b',
    'x',
    '--expect-contains=y',
    '--level',
    '--timeout-ms',
    '9',
    '-q',
    '--',
    '-z',
  )
  expect(mixed).toMatchObject({ args: ['a.b', 'x', '--level', '-q', '-z'], device: 'd1', timeout: '9', expected: 'y' })
  expect(given('a.b', '--skip-validate').isOn('skip-validate')).toBe(true)
  expect(parse(COMMANDS, ['skills', 'run', 'a.b', '--help']).kind).toBe('help')
})

test('before the skill, an unknown flag is a mistake', () => {
  expect(() => given('--expect-contain', 'x', 'a.b')).toThrow('Did you mean --expect-contains?')
})

test('the value of a flag of ours cannot be forgotten', () => {
  expect(() => given('a.b', '--device', '--level')).toThrow('--device needs a value')
})
