/** What of `svc skills run` is ours, and what is the script's. */
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../../../src/surfaces/cli/commands/catalogue.ts'
import { RUN_FLAGS } from '../../../../src/surfaces/cli/commands/skills-record.ts'
import { candidatesFor } from '../../../../src/surfaces/cli/flags/candidates.ts'
import { parse } from '../../../../src/surfaces/cli/flags/parse-all.ts'
import { callCli } from '../../../support/cli/call-cli.ts'

const COMMANDS = await catalogue.all()

const given = (...words: string[]) => {
  const parsed = parse(COMMANDS, ['skills', 'run', ...words])
  if (parsed.kind === 'refused') throw parsed.error
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
    [
      'global flags of svc, their aliases and their values',
      [
        'a.b',
        '--json',
        '--output',
        'pretty',
        '--verbose',
        '--no-daemon',
        '--policy=p',
        '--device-id',
        'd',
        '--log-level',
      ],
      ['--json', '--output', 'pretty', '--verbose', '--no-daemon', '--policy=p', '--device-id', 'd', '--log-level'],
    ],
    [
      'flags of other commands',
      ['a.b', '--registry', 'r', '--text', '--app=x'],
      ['--registry', 'r', '--text', '--app=x'],
    ],
    ['--version and the short flags', ['a.b', '--version', '-v', '-h', '-hv'], ['--version', '-v', '-h', '-hv']],
    ['what only begins like a flag of ours', ['a.b', '--timeouts', '5', '--helpful'], ['--timeouts', '5', '--helpful']],
    ['repeated flags, in order', ['a.b', '--x', '1', '--x=2', '--x'], ['--x', '1', '--x=2', '--x']],
    ['other alphabets', ['a.b', '--größe=漢', '🙂'], ['--größe=漢', '🙂']],
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

test('before the skill, the flags of svc are its own', () => {
  const parsed = parse(COMMANDS, [
    '--json',
    'skills',
    '--registry',
    'r',
    'run',
    '--no-daemon',
    'a.b',
    '--registry',
    's',
  ])
  if (parsed.kind !== 'run') throw new Error(parsed.kind)
  const { args, text, isOn } = parsed.given
  expect([args, text('registry'), isOn('json'), isOn('no-daemon')]).toEqual([
    ['a.b', '--registry', 's'],
    'r',
    true,
    true,
  ])
  expect(parse(COMMANDS, ['skills', 'run', '--version', 'a.b']).kind).toBe('version')
})

test('of a flag that is given twice, the last value counts', () => {
  expect(given('--device', 'd1', 'a.b', '--device=d2', '--timeout', '1', '--timeout-ms=')).toMatchObject({
    device: 'd2',
    timeout: '',
  })
})

test('a flag of the script does not change how svc prints', async () => {
  const wrong = ['skills', 'run', 'a.b', '--device']
  expect((await callCli([...wrong.slice(0, 3), '--output', 'pretty', '--device'])).printed.join()).not.toContain('\n ')
  expect((await callCli(['--output', 'pretty', ...wrong])).printed.join()).toContain('\n ')
})

test('completion after the skill offers the flags that are ours there', async () => {
  const flagsOf = async (...words: string[]) => {
    const { words: found } = await candidatesFor({
      words,
      commands: COMMANDS,
      live: async () => [{ word: 'd1', summary: '' }],
    })
    return found.map(({ word }) => word)
  }
  expect((await flagsOf('skills', 'run', 'a.b', '-')).sort()).toEqual([...RUN_FLAGS].sort())
  expect(await flagsOf('skills', 'run', '--')).toContain('--registry')
  expect(await flagsOf('skills', 'run', 'a.b', '--device', '')).toEqual(['d1'])
  expect(await flagsOf('skills', 'run', 'a.b', '--output', '')).toEqual([])
})

test('before the skill, an unknown flag is a mistake', () => {
  expect(() => given('--expect-contain', 'x', 'a.b')).toThrow('Did you mean --expect-contains?')
})

test('the value of a flag of ours cannot be forgotten', () => {
  expect(() => given('a.b', '--device', '--level')).toThrow('--device needs a value')
})

test('a flag of svc that a script gets is named on stderr, unless it stands behind -- or scripts often have it', async () => {
  const notes = async (...words: string[]) =>
    (await callCli(['skills', 'run', '--registry', '/nowhere.json', ...words])).notes
  expect(await notes('a.b', '--output', 'pretty', '--registry=x')).toEqual([
    expect.stringContaining('--output, --registry after a.b goes to the script'),
  ])
  expect(await notes('a.b', '--verbose', '--mine', '--', '--output', 'pretty')).toEqual([])
})
