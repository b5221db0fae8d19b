/** A flag without its value, and a required argument that is missing: USAGE, with the shape of the command. */
import { expect, test } from 'vitest'
import { GLOBAL_FLAGS } from '../../../src/surfaces/cli/argv.ts'
import { type Command, commandShape, type Flag } from '../../../src/surfaces/cli/command.ts'
import { catalogue } from '../../../src/surfaces/cli/commands/catalogue.ts'
import { callCli } from '../../support/cli/call-cli.ts'

const commands = (await catalogue.all()).filter(({ path }) => path[0] !== '__complete')

const mayBeBare = ({ optional }: Flag) => optional !== undefined
const withValue = ({ flags = [] }: Command) =>
  [...GLOBAL_FLAGS, ...flags].filter(flag => flag.value !== undefined && !mayBeBare(flag))
const written = ({ name, aliases = [] }: Flag) => [name, ...aliases].map(each => `--${each}`)

const refusal = async (...argv: string[]) => {
  const { code, json } = await callCli(argv)
  return { exit: code, ...json<{ code: string; message: string }>() }
}

test.each(commands.map(command => [command.path.join(' '), command] as const))('svc %s', async (_, command) => {
  const shape = commandShape(command).slice(0, `svc ${command.path.join(' ')}`.length)
  for (const flag of withValue(command)) {
    for (const name of written(flag)) {
      const { message, ...rest } = await refusal(...command.path, name)
      expect.soft(rest, name).toMatchObject({ exit: 1, code: 'USAGE' })
      expect.soft(message, name).toMatch(new RegExp(`^${name} needs a value `))
      const shown = message.slice(message.indexOf(': svc '))
      expect.soft(shown, name).toContain(shape)
      expect
        .soft(
          written(flag).some(each => shown.includes(each)),
          name,
        )
        .toBe(true)
    }
  }
  if (!command.args?.some(({ required }) => required)) return
  const { code, message } = await refusal(...command.path)
  expect(code).toBe('USAGE')
  expect(message).toContain(commandShape(command))
})

const REQUIRED_FLAGS: [string[], string][] = [
  [['skills', 'sync'], 'svc skills sync --ref'],
  [['skills', 'compile-artifact', 'a.b'], 'svc skills compile-artifact <skill_id> --artifact <name>'],
  [['skills', 'record', 'a.b'], 'svc skills record'],
  [['lease', 'emulator-5554'], 'svc lease [device] --for <time>'],
  [['lease', 'extend', '01a0c450-6c00-72b0-91e0-586a373dc163'], 'svc lease extend <leaseId> --for <time>'],
  [['journal', 'export'], 'svc journal export --to <file>'],
  [['executions', 'trace', '01a0c450-6c00-72b0-91e0-586a373dc163'], 'svc executions trace <id> --to <file>'],
]
test.each(REQUIRED_FLAGS)('%j names the shape of the command', async (argv, shape) => {
  expect(await refusal(...argv)).toMatchObject({ code: 'USAGE', message: expect.stringContaining(shape) })
})

test.each([[['--device']], [['--output', 'json', '--policy']]])('%j without a command', async argv => {
  expect(await refusal(...argv)).toMatchObject({
    code: 'USAGE',
    message: expect.stringMatching(/needs a value .*: svc <command> \[--/),
  })
})
