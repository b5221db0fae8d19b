/** --output, --json and SVC_OUTPUT: which one counts, and what is refused. */
import { describe, expect, test } from 'vitest'
import { SKILL_RUN_ENV } from '../../../../src/contracts/records/ids.ts'
import type { Command, CommandContext, CommandResult } from '../../../../src/surfaces/cli/command.ts'
import { daemonText } from '../../../../src/surfaces/cli/daemon/daemon.ts'
import { type CallOptions, callCli } from '../../../support/cli/call-cli.ts'

const commandsOf = (run: (call: CommandContext) => Promise<CommandResult>, more: Partial<Command> = {}): Command[] => [
  { path: ['daemon', 'status'], text: async () => daemonText, summary: 'does it', examples: ['svc do'], run, ...more },
]
const output = { ok: true, daemon: { status: 'stopped', socketPath: '/s' } }
const svc = (argv: readonly string[], env: CallOptions['env'] = {}, more: Partial<Command> = {}) =>
  callCli(['daemon', 'status', ...argv], { env, commands: commandsOf(async () => ({ ok: true, output }), more) })

const TEXT = '✓ Stopped the daemon.\n  Socket  /s'
const LINE = JSON.stringify(output)
const PRETTY = JSON.stringify(output, null, 2)

test.each<[string[], string | undefined, string]>([
  [[], undefined, LINE],
  [[], '', LINE],
  [[], ' text ', TEXT],
  [[], 'pretty', PRETTY],
  [[], 'json', LINE],
  [['--output', 'text'], undefined, TEXT],
  [['--output', 'json'], 'text', LINE],
  [['--output', 'pretty'], 'text', PRETTY],
  [['--json'], 'text', LINE],
  [['--json', '--output', 'text'], undefined, LINE],
  [['--output', 'text'], 'nonsense', TEXT],
  [['--json'], 'nonsense', LINE],
])('%j with SVC_OUTPUT=%s', async (argv, preferred, expected) => {
  const { code, printed, notes } = await svc(argv, { SVC_OUTPUT: preferred })
  expect({ code, printed, notes }).toEqual({ code: 0, printed: [expected], notes: [] })
})

test('another value of --output is refused', async () => {
  const { code, json } = await svc(['--output', 'txt'])
  expect(code).toBe(1)
  expect(json()).toMatchObject({
    code: 'USAGE',
    message: '--output must be json, pretty or text; got "txt". Did you mean text?',
  })
})

test('another value of SVC_OUTPUT is refused by its name', async () => {
  const { code, json } = await svc([], { SVC_OUTPUT: 'xml' })
  expect(code).toBe(1)
  expect(json()).toMatchObject({ code: 'USAGE', message: 'SVC_OUTPUT must be json, pretty or text; got "xml".' })
})

test('a command that prints the same in any case does not mind SVC_OUTPUT', async () => {
  expect((await svc([], { SVC_OUTPUT: 'xml' }, { text: 'unchanged' })).code).toBe(0)
})

test('a file that --output names is no way to print, and SVC_OUTPUT counts beside it', async () => {
  expect((await svc(['--output', 'app.json'], { SVC_OUTPUT: 'text' }, { writesOutput: true })).printed).toEqual([TEXT])
  expect((await svc(['--output', 'app.json'], {}, { writesOutput: true })).printed).toEqual([LINE])
})

test('a script of a skill gets JSON whatever its caller prefers', async () => {
  expect((await svc([], { SVC_OUTPUT: 'text', [SKILL_RUN_ENV]: 'run-1' })).printed).toEqual([LINE])
})

describe('a failure as text', () => {
  test.each<[string, string[], RegExp]>([
    ['of a command', ['daemon', 'status'], /^✗ INTERNAL_ERROR: oh\n {2}Hint {2}\S/],
    ['of usage', ['daemon', 'status', 'surplus'], /^✗ USAGE: "surplus" is one argument too many/],
    ['of an unknown command', ['nonsense'], /^✗ USAGE: There is no command "nonsense"/],
    ['of an unknown flag', ['daemon', 'status', '--nope'], /^✗ USAGE: svc daemon status has no flag --nope/],
  ])('%s is on stderr, and stdout stays empty', async (_, argv, expected) => {
    const commands = commandsOf(() => Promise.reject(new Error('oh')))
    for (const [args, env] of [
      [[...argv, '--output', 'text'], {}],
      [argv, { SVC_OUTPUT: 'text' }],
    ] as const) {
      const { code, printed, notes } = await callCli(args, { commands, env })
      expect({ code, printed }).toEqual({ code: 1, printed: [] })
      expect(notes).toHaveLength(1)
      expect(notes[0]).toMatch(expected)
    }
  })
})

test('what is told while a command goes on is one line of JSON, or text', async () => {
  const announcing = commandsOf(async call => {
    await call.announce(output)
    return { ok: true }
  })
  const printedAs = async (format: string) =>
    (await callCli(['daemon', 'status', '--output', format], { commands: announcing })).printed
  expect([await printedAs('json'), await printedAs('pretty'), await printedAs('text')]).toEqual([
    [LINE],
    [LINE],
    [TEXT],
  ])
})

test('a command is told its format', async () => {
  const seen: string[] = []
  const commands = commandsOf(async ({ format }) => {
    seen.push(format)
    return { ok: true }
  })
  await callCli(['daemon', 'status'], { commands, env: { SVC_OUTPUT: 'text' } })
  await callCli(['daemon', 'status', '--json'], { commands, env: { SVC_OUTPUT: 'text' } })
  expect(seen).toEqual(['text', 'json'])
})
