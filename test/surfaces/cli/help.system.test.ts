/** `svc --help` fits a screen, `svc help <topic>` says what concerns many commands, and every example in them is a call that svc takes. */
import { describe, expect, test } from 'vitest'
import { Policy } from '../../../src/contracts/policy.ts'
import { parseScenario } from '../../../src/simulator/scenario/scenario.ts'
import { GLOBAL_FLAGS } from '../../../src/surfaces/cli/argv.ts'
import type { Command } from '../../../src/surfaces/cli/command.ts'
import { catalogue } from '../../../src/surfaces/cli/commands/catalogue.ts'
import { parse } from '../../../src/surfaces/cli/flags/parse-all.ts'
import { topicText } from '../../../src/surfaces/cli/help/find-help.ts'
import { TOPICS } from '../../../src/surfaces/cli/help.ts'
import { accept } from '../../contracts/parse.ts'
import { callCli } from '../../support/cli/call-cli.ts'
import { wordsOfExample } from '../../support/cli/example-words.ts'
import { EVERY_FLAT } from './flat/call.ts'

const LINES_MAX = 60
const COLUMNS_MAX = 100
const COMMANDS = await catalogue.all()
const SHOWN = COMMANDS.filter(({ internal }) => !internal)

const helpOf = async (...argv: string[]) => {
  const { code, printed } = await callCli(argv)
  expect(code).toBe(0)
  return printed.join('\n')
}

/** The size of a screen, with the last line of the prompt. */
const expectToFit = (text: string) => {
  const lines = text.split('\n')
  expect(lines.length).toBeLessThanOrEqual(LINES_MAX)
  expect(lines.filter(line => line.length > COLUMNS_MAX)).toEqual([])
}

describe('svc --help', () => {
  test('is the same for -h, and fits a screen', async () => {
    const text = await helpOf('--help')
    expectToFit(text)
    expect(await helpOf('-h')).toBe(text)
  })

  test('has every command once, sub-commands behind their parent, and none that is internal', async () => {
    const [, groups = ''] = (await helpOf('--help')).split('\n\n')
    const words = groups.split(/[\s,|[\]]+/)
    expect(groups).not.toContain('Other')
    for (const { path } of SHOWN) for (const word of path) expect(words, path.join(' ')).toContain(word)
    expect(groups).toContain('executions list|show|cancel|resume|timeline|trace')
    expect(groups).toContain('simulate [from-dump]')
    expect(groups).not.toContain('__complete')
    expect(groups).not.toMatch(/daemon \S*run/)
  })

  test('has every global flag', async () => {
    const text = await helpOf('--help')
    for (const { name, summary } of GLOBAL_FLAGS) {
      expect(text).toContain(`--${name}`)
      expect(text).toContain(summary)
    }
  })

  test('shows a command that no group has', async () => {
    const stranger: Command = {
      path: ['juggle'],
      summary: 'keep balls in the air',
      examples: [],
      run: async () => ({ ok: true }),
    }
    const { printed } = await callCli(['--help'], { commands: [...COMMANDS, stranger] })
    expect(printed.join()).toMatch(/^Other +juggle +keep balls in the air$/m)
  })
})

describe('svc help <topic>', () => {
  test.each(TOPICS.map(({ name }) => name))('%s fits a screen', async name => {
    const text = (await topicText(name)) ?? ''
    expectToFit(text)
    expect(await helpOf('help', name)).toContain(text)
  })

  test('is listed by svc help, and named by svc --help', async () => {
    const [listed, named] = [await helpOf('help'), await helpOf('--help')]
    for (const { name, summary } of TOPICS) {
      expect(listed).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'))
      expect(named).toContain(name)
    }
  })

  test('adds to the command of the same name', async () => {
    const text = await helpOf('help', 'devices')
    expect(text).toContain('list the connected devices with their states')
    expect(text).toContain('Devices: which device a command uses')
    expect(await helpOf('devices', '--help')).toBe(text)
  })

  test('of another name is a usage error', async () => {
    const { code, json } = await callCli(['help', 'screnshot'])
    expect(code).toBe(1)
    expect(json()).toMatchObject({
      code: 'USAGE',
      message: 'There is no command or topic "screnshot". Did you mean screenshot?',
      hint: 'See: svc help.',
    })
    expect((await callCli(['help', 'selector'])).json()).toMatchObject({
      message: expect.stringContaining('Did you mean selectors?'),
    })
    for (const [word, meant] of [
      ['tap', 'click'],
      ['appium', 'webdriver'],
    ])
      expect((await callCli(['help', word ?? ''])).json()).toMatchObject({
        message: expect.stringContaining(`Did you mean ${meant}?`),
      })
    expect((await callCli(['help', '__complete'])).code).toBe(1)
  })

  test('is completed, with the commands', async () => {
    const candidates = async (...words: string[]) =>
      (await callCli(['__complete', '--', ...words])).printed
        .join('\n')
        .split('\n')
        .map(line => line.split('\t')[0])
    const first = await candidates('help', '')
    for (const word of ['selectors', 'exit-codes', 'click', 'executions']) expect(first).toContain(word)
    expect(first.filter(word => word === 'devices')).toEqual(['devices'])
    expect(await candidates('help', 'sel')).toEqual(['selectors'])
    expect(await candidates('help', 'executions', 're')).toEqual(['resume'])
  })
})

/** The calls in an example, without what is said about it after two blanks. */
const callsIn = (text: string): string[] =>
  text.split('\n').flatMap(line => /^ +((?:[A-Z_]+=\S+ )*svc \S.*?)(?: {2,}.*)?$/.exec(line)?.[1] ?? [])

describe('every call in a topic is one that svc takes', async () => {
  const texts = await Promise.all(
    TOPICS.map(async ({ name }) => ({ name, calls: callsIn((await topicText(name)) ?? '') })),
  )
  test('and there are many', () => {
    expect(texts.flatMap(({ calls }) => calls).length).toBeGreaterThan(40)
  })

  test.each(texts.flatMap(({ name, calls }) => calls.map(call => [name, call])))('%s: %s', async (_, call) => {
    const words = wordsOfExample(call)
    const parsed = parse(COMMANDS, words)
    expect(parsed.kind).toBe('run')
    if (!EVERY_FLAT.some(({ path }) => path[0] === words[0])) return
    const planned = await callCli([...words, '--dry-run'])
    expect(planned.json()).toMatchObject({ ok: true })
  })

  test('the policy and the scenario in them are valid', async () => {
    const jsonIn = (text: string) => JSON.parse(/^ {2}\{\n(?:.*\n)*? {2}\}$/m.exec(text)?.[0] ?? '')
    const textOf = async (name: string) => (await topicText(name)) ?? ''
    accept(Policy, jsonIn(await textOf('policy')))
    expect(parseScenario(jsonIn(await textOf('scenarios')))).toMatchObject({ ok: true })
  })
})

describe('the help of a command lists the global flags that it uses', () => {
  const FEW = ['output', 'json', 'log-level', 'help']
  const ALL = ['device', 'lease', 'operator-package', ...FEW, 'timeout', 'policy', 'no-daemon', 'verbose']
  test.each<[string, readonly string[]]>([
    ['click', ALL],
    ['on-screen-log set', ALL],
    ['snapshot', ALL],
    ['exec', ALL],
    ['devices', ['device', ...FEW]],
    ['executions show', ['device', ...FEW]],
    ['executions resume', ALL],
    ['skills run', ['device', 'lease', 'operator-package', 'timeout', 'policy', 'no-daemon', ...FEW]],
    ['skills list', FEW],
    ['emulators start', FEW],
    ['install', FEW],
    ['serve', ['policy', 'log-level', 'help']],
    ['help', ['log-level', 'help']],
  ])('svc %s', async (name, flags) => {
    const [, text = ''] = (await helpOf(...name.split(' '), '--help')).split('Global flags:\n')
    const listed = [...(text.split('\n\n')[0] ?? '').matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, flag]) => flag)
    expect(listed.sort()).toEqual([...flags].sort())
  })

  test('and a command takes the others as before', async () => {
    const { code } = await callCli(['completion', 'bash', '--device', 'x', '--no-daemon', '--timeout', '5'])
    expect(code).toBe(0)
  })
})
