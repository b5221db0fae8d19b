/** Every command has a text, or is named here as one that prints the same whatever --output says. */
import { expect, test } from 'vitest'
import { catalogue } from '../../../../src/surfaces/cli/commands/catalogue.ts'

/** Protocols, texts for people already, scripts and configuration. */
const UNCHANGED = [
  'executions timeline',
  'watch',
  'serve',
  'webdriver',
  'fleet permissions',
  'mcp',
  'daemon run',
  '__complete',
  'help',
  'logs',
]

test('every command has a text or is unchanged', async () => {
  const commands = await catalogue.all()
  const without = commands.filter(({ text }) => text === undefined).map(({ path }) => path.join(' '))
  expect(without).toEqual([])
  const unchanged = commands.filter(({ text }) => text === 'unchanged').map(({ path }) => path.join(' '))
  expect(unchanged.sort()).toEqual([...UNCHANGED].sort())
})
