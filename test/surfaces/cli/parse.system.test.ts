/** Words and flags: what counts as which, and what is said about those that are wrong. */
import { describe, expect, test } from 'vitest'
import type { Command, CommandContext } from '../../../src/surfaces/cli/command.ts'
import { callCli } from '../../support/cli/call-cli.ts'

/** Answers with what it was given. */
const echo = (path: string[], more: Partial<Command> = {}): Command => ({
  path,
  summary: `does ${path.join(' ')}`,
  examples: [`svc ${path.join(' ')}`],
  run: async ({ args, text, all, isOn }: CommandContext) => {
    const names = ['device', 'operator-package', 'timeout', 'no-daemon', ...(more.flags ?? []).map(({ name }) => name)]
    const given = names.filter(isOn)
    const flags = Object.fromEntries(given.map(name => [name, all(name).length > 1 ? all(name) : text(name)]))
    return { ok: true, output: { path, args, flags } }
  },
  ...more,
})

const COMMANDS = [
  echo(['tap'], {
    args: [{ name: 'label', summary: 'what to tap', required: true }],
    flags: [
      { name: 'text', value: 'text', summary: 'the text' },
      { name: 'long', summary: 'longer' },
      { name: 'two-words', summary: 'a name of two words' },
      { name: 'tag', value: 'tag', summary: 'a tag', many: true },
    ],
  }),
  echo(['list'], { args: [{ name: 'more', summary: 'more', rest: true }] }),
  echo(['runs', 'list']),
  echo(['runs', 'show'], { args: [{ name: 'id', summary: 'which', required: true }] }),
  echo(['daemon', 'run'], { internal: true }),
]

const called = async (...argv: string[]) => (await callCli(argv, { commands: COMMANDS })).json()

describe('what is understood', () => {
  const table: [string, string[], object][] = [
    ['a command with an argument', ['tap', 'OK'], { args: ['OK'], flags: {} }],
    ['a flag with its value after it', ['tap', 'OK', '--text', 'a b'], { args: ['OK'], flags: { text: 'a b' } }],
    ['a flag with = and a value', ['tap', 'OK', '--text=a=b'], { args: ['OK'], flags: { text: 'a=b' } }],
    ['an empty value', ['tap', 'OK', '--text', ''], { args: ['OK'], flags: { text: '' } }],
    ['an empty argument', ['tap', ''], { args: [''], flags: {} }],
    ['digits stay text', ['tap', '007', '--text', '1e3'], { args: ['007'], flags: { text: '1e3' } }],
    ['a value that begins with one dash', ['tap', 'OK', '--text', '-5'], { args: ['OK'], flags: { text: '-5' } }],
    ['a value that looks like a flag', ['tap', 'OK', '--text=--long'], { args: ['OK'], flags: { text: '--long' } }],
    ['a switch', ['tap', '--long', 'OK'], { args: ['OK'], flags: { long: '' } }],
    [
      'a switch of two words takes no argument',
      ['tap', '--two-words', 'OK'],
      { args: ['OK'], flags: { 'two-words': '' } },
    ],
    ['a word such as false after a switch', ['tap', '--long', 'false'], { args: ['false'], flags: { long: '' } }],
    ['--no-daemon after the command', ['tap', '--no-daemon', 'OK'], { args: ['OK'], flags: { 'no-daemon': '' } }],
    ['the last of two values', ['tap', 'OK', '--device', 'a', '--device-id', 'b'], { flags: { device: ['a', 'b'] } }],
    ['a flag that may be repeated', ['tap', 'OK', '--tag', 'a', '--tag', 'b'], { flags: { tag: ['a', 'b'] } }],
    ['a global flag before the command', ['--device', 'tap', 'tap', 'OK'], { args: ['OK'], flags: { device: 'tap' } }],
    ['an alias of a global flag', ['tap', 'OK', '--timeout-ms', '5'], { flags: { timeout: '5' } }],
    ['a flag of the command before it', ['--text', 'list', 'tap', 'OK'], { args: ['OK'], flags: { text: 'list' } }],
    ['nothing is a flag after --', ['tap', '--', '--long'], { args: ['--long'], flags: {} }],
    ['a negative number is a word', ['tap', '-5.5'], { args: ['-5.5'], flags: {} }],
    ['a negative number after --', ['list', '--', '-1', '--', '-.5'], { args: ['-1', '--', '-.5'] }],
    ['a negative number behind a switch', ['tap', '--long', '-5'], { args: ['-5'], flags: { long: '' } }],
    ['a dash alone is a word', ['tap', '-'], { args: ['-'], flags: {} }],
    ['a command of two words', ['runs', '--device', 'x', 'show', '1'], { args: ['1'], flags: { device: 'x' } }],
    ['all that are left', ['list', 'a', 'b', 'c'], { args: ['a', 'b', 'c'] }],
    ['a command that is not shown', ['daemon', 'run'], { path: ['daemon', 'run'] }],
  ]
  test.each(table)('%s', async (_, argv, expected) => {
    expect(await called(...argv)).toMatchObject(expected)
  })
})

describe('what is refused', () => {
  const table: [string, string[], string][] = [
    ['an unknown command', ['tpa', 'OK'], 'There is no command "tpa". Did you mean tap?'],
    ['an unknown command, whatever its flags', ['tpa', '--text', 'a'], 'There is no command "tpa". Did you mean tap?'],
    ['a command that is like none', ['zzzzzz'], 'There is no command "zzzzzz".'],
    ['a hidden command is not proposed', ['deamon', 'run'], 'There is no command "deamon".'],
    ['an unknown second word', ['runs', 'lst'], 'There is no command "runs lst". Did you mean runs list?'],
    ['a group without its second word', ['runs'], 'svc runs needs a subcommand: runs list, runs show.'],
    ['an unknown flag', ['tap', 'OK', '--lnog'], 'svc tap has no flag --lnog. Did you mean --long?'],
    ['an unknown letter', ['tap', 'OK', '-x'], 'svc tap has no flag -x.'],
    ['a flag of another command', ['list', '--long'], 'svc list has no flag --long.'],
    [
      'a flag that nobody has, before the command',
      ['--devcie', 'x', 'tap'],
      'svc has no flag --devcie. Did you mean --device?',
    ],
    [
      'a flag with no value',
      ['tap', 'OK', '--text'],
      '--text needs a value (--text <text>, or --text=<text>): svc tap <label> [--text <text>]',
    ],
    ['a flag whose value is a flag', ['tap', 'OK', '--text', '--long'], '--text needs a value'],
    ['a flag in another spelling', ['tap', 'OK', '--twoWords'], 'svc tap has no flag --twoWords.'],
    ['a flag that begins with no-', ['tap', 'OK', '--no-long'], 'svc tap has no flag --no-long.'],
    ['a switch with a value', ['tap', 'OK', '--long=yes'], '--long takes no value.'],
    ['a missing argument', ['tap'], '<label> is missing: svc tap <label>'],
    ['one argument too many', ['runs', 'show', '1', '2'], '"2" is one argument too many: svc runs show <id>'],
    ['an output that is not there', ['list', '--output', 'xml'], '--output must be json, pretty or text; got "xml".'],
    ['a level that is not there', ['list', '--log-level', 'wran'], 'Did you mean warn?'],
  ]
  test.each(table)('%s', async (_, argv, said) => {
    const { code, json } = await callCli(argv, { commands: COMMANDS })
    expect(code).toBe(1)
    expect(json()).toMatchObject({ code: 'USAGE', message: expect.stringContaining(said) })
  })

  test('a flag that was written before an unknown command is not taken for it', async () => {
    const { json } = await callCli(['--text', 'OK', 'tpa'], { commands: COMMANDS })
    expect(json()).toMatchObject({ message: expect.stringContaining('There is no command "tpa"') })
  })
})
