/** The kinds of values name flags that commands have. */
import { expect, test } from 'vitest'
import { GLOBAL_FLAGS } from '../../../../src/surfaces/cli/argv.ts'
import { catalogue } from '../../../../src/surfaces/cli/commands/catalogue.ts'
import { FLAG_KINDS, SELECTOR_FLAGS } from '../../../../src/surfaces/cli/flags/candidates.ts'

test('every flag that has a kind is a flag with a value', async () => {
  const flags = [...GLOBAL_FLAGS, ...(await catalogue.all()).flatMap(({ flags = [] }) => flags)]
  const valued = new Set(flags.filter(({ value }) => value !== undefined).map(({ name }) => name))
  expect([...Object.keys(FLAG_KINDS), ...SELECTOR_FLAGS].filter(name => !valued.has(name))).toEqual([])
})
