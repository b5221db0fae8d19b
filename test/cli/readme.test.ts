/** The README as a user reads it: every command and every environment variable is there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands/every.ts'
import { ROOT, sourcesUnder } from '../architecture/sources.ts'

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

test.each(COMMANDS.filter(({ internal }) => !internal).map(({ path }) => path.join(' ')))('svc %s', name => {
  expect(readme).toMatch(new RegExp(`\`svc ${name}[\` ]`))
})

const read = sourcesUnder('src').flatMap(({ code }) =>
  [...code.matchAll(/\benv\.([A-Z][A-Z_]+)/g)].map(([, name = '']) => name),
)

test.each([...new Set(read)])('%s', name => {
  expect(readme).toContain(`\`${name}\``)
})
