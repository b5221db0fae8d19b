/** The README as a user reads it: every command and every environment variable is there. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/commands/all.ts'
import { ROOT, sourcesUnder } from '../architecture/sources.ts'

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

test('every command is in the README', () => {
  const names = COMMANDS.filter(({ internal }) => !internal).map(({ path }) => path.join(' '))
  expect(names.filter(name => !new RegExp(`\`svc ${name}[\` ]`).test(readme))).toEqual([])
})

const read = sourcesUnder('src').flatMap(({ code }) =>
  [...code.matchAll(/\benv\.([A-Z][A-Z_]+)/g)].map(([, name = '']) => name),
)

test('every environment variable is in the README', () => {
  expect(read.length).toBeGreaterThan(0)
  expect(read.filter(name => !readme.includes(`\`${name}\``))).toEqual([])
})
