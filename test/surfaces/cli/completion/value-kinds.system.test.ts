/** The kinds of values name flags and arguments that commands have. */
import { expect, test } from 'vitest'
import { GLOBAL_FLAGS } from '../../../../src/surfaces/cli/argv.ts'
import { catalogue } from '../../../../src/surfaces/cli/commands/catalogue.ts'
import { ARGUMENT_KINDS, FLAG_KINDS, SELECTOR_FLAGS } from '../../../../src/surfaces/cli/completion/value-kinds.ts'

test('every flag that has a kind is a flag with a value', async () => {
  const flags = [...GLOBAL_FLAGS, ...(await catalogue.all()).flatMap(({ flags = [] }) => flags)]
  const valued = new Set(flags.filter(({ value }) => value !== undefined).map(({ name }) => name))
  expect([...Object.keys(FLAG_KINDS), ...SELECTOR_FLAGS].filter(name => !valued.has(name))).toEqual([])
})

test('every argument that has a kind is one of its command', async () => {
  const commands = new Map((await catalogue.all()).map(({ path, args = [] }) => [path.join(' '), args]))
  for (const [path, kinds] of Object.entries(ARGUMENT_KINDS)) {
    const args = commands.get(path)
    // Short selectors are arguments only where the command takes them.
    if (!args || kinds.includes('label')) continue
    expect(args.length, path).toBeGreaterThanOrEqual(kinds.length)
  }
})
