/** What holds for every command of svc: its data is complete, says the same everywhere, and its help names all of it. */
import { describe, expect, test } from 'vitest'
import { OPERATOR_WAYS } from '../../../src/simulator/scenario/device.ts'
import { FLEET_STATES } from '../../../src/simulator/simulated-phones.ts'
import { GLOBAL_FLAGS } from '../../../src/surfaces/cli/argv.ts'
import { type Command, commandShape } from '../../../src/surfaces/cli/command.ts'
import { catalogue, PARTS } from '../../../src/surfaces/cli/commands/catalogue.ts'
import { parse } from '../../../src/surfaces/cli/flags/parse-all.ts'
import { callCli } from '../../support/cli/call-cli.ts'
import { wordsOfExample } from '../../support/cli/example-words.ts'

const COMMANDS = await catalogue.all()

const nameOf = ({ path }: Command) => path.join(' ')
const named = COMMANDS.map(command => [nameOf(command), command] as const)

describe.each(named)('svc %s', (name, command) => {
  test('has a summary of one line, and examples', () => {
    expect(command.summary).toMatch(/^[a-z][^\n.]+$/)
    expect(command.examples.length).toBeGreaterThan(0)
    expect(commandShape(command)).toMatch(new RegExp(`^svc ${name}\\b`))
  })

  test('its examples are calls of it', () => {
    const isCall = (example: string) => {
      const parsed = parse(COMMANDS, wordsOfExample(example))
      return parsed.kind === 'run' && nameOf(parsed.command) === name
    }
    expect(command.examples.filter(example => !isCall(example))).toEqual([])
  })

  test('has a help that names every argument, every flag, and an example', async () => {
    const { code, printed } = await callCli([...command.path, '--help'])
    expect(code).toBe(0)
    const text = printed.join('\n')
    const used = GLOBAL_FLAGS.filter(({ name }) => command.uses?.some(each => each === name))
    for (const flag of [...(command.flags ?? []), ...used]) {
      for (const each of [flag.name, ...(flag.aliases ?? [])]) expect(text).toContain(`--${each}`)
      expect(text).toContain(flag.summary)
    }
    for (const argument of command.args ?? []) expect(text).toContain(argument.summary)
    for (const example of command.examples) expect(text).toContain(example)
    expect(text).toContain(command.summary)
    expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThanOrEqual(160)
  })

  test.skipIf(command.internal)('is explained by svc help as well', async () => {
    const asked = await callCli(['help', ...command.path])
    expect(asked).toMatchObject({ code: 0, printed: (await callCli([...command.path, '-h'])).printed })
  })
})

test('a group has an overview of its own', async () => {
  const { printed } = await callCli(['executions', '--help'])
  expect(printed.join()).toContain('svc executions show')
  expect(printed.join()).not.toContain('svc devices')
  expect((await callCli(['help', 'executions'])).printed).toEqual(printed)
})

test('no two commands have a flag of one name and two kinds: before its command it could not be told apart', () => {
  const kinds = new Map(GLOBAL_FLAGS.map(flag => [flag.name, flag.value !== undefined]))
  for (const { flags = [] } of COMMANDS) {
    for (const { name, aliases = [], value } of flags) {
      for (const each of [name, ...aliases]) {
        expect(kinds.get(each) ?? value !== undefined, `--${each}`).toBe(value !== undefined)
        kinds.set(each, value !== undefined)
      }
    }
  }
})

test('no command has a flag of its own that every command has', () => {
  const globals = GLOBAL_FLAGS.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  const own = COMMANDS.flatMap(({ flags = [] }) => flags.flatMap(({ name, aliases = [] }) => [name, ...aliases]))
  expect(own.filter(name => globals.includes(name))).toEqual([])
})

test('each part of the catalogue knows the words of its commands, and no others', async () => {
  for (const { words, load } of PARTS) {
    expect([...new Set((await load()).map(({ path }) => path[0]))]).toEqual(words)
  }
  expect((await Promise.all(PARTS.map(({ load }) => load()))).flat()).toEqual(await catalogue.all())
})

test('simulate names the states and the ways that there are', () => {
  const simulate = COMMANDS.find(command => nameOf(command) === 'simulate')
  const valuesOf = (flag: string) => simulate?.flags?.find(({ name }) => name === flag)?.value?.split('|')
  expect(valuesOf('state')).toEqual(FLEET_STATES)
  expect(valuesOf('operator')).toEqual(OPERATOR_WAYS)
})
