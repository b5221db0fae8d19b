/** The generated parts of the pages say what the declarations say now. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fillRegions, stalePages } from '../../../../src/build/docs/generated/regions.ts'
import { regionsOfDocs } from '../../../../src/build/docs/generated/regions-of-docs.ts'
import { ROOT } from '../../../architecture/sources.ts'
import { temporary } from '../../../support/temporary.ts'

const root = temporary('svc-docs-')

test('no page is out of date: npm run docs', async () => {
  expect(stalePages(join(ROOT, 'docs'), await regionsOfDocs()).map(({ file }) => file)).toEqual([])
})

test('every generated part stands on a page', async () => {
  const used: string[] = []
  const regions = Object.keys(await regionsOfDocs()).map(name => [name, () => used.push(name) && ''] as const)
  stalePages(join(ROOT, 'docs'), Object.fromEntries(regions.map(([name, text]) => [name, () => `${text()}`])))
  expect(used.sort()).toEqual(regions.map(([name]) => name).sort())
})

test('only the part between the marks is written', () => {
  const before = 'By hand.\n\n<!-- generated: list -->\nold\n<!-- end -->\n\nBy hand too.\n'
  const after = fillRegions(before, { list: () => 'new $& $1' })
  expect(after).toBe('By hand.\n\n<!-- generated: list -->\n\nnew $& $1\n\n<!-- end -->\n\nBy hand too.\n')
  expect(fillRegions(after, { list: () => 'new $& $1' })).toBe(after)
})

test('a part that nothing generates is refused', () => {
  expect(() => fillRegions('<!-- generated: other -->\n<!-- end -->\n', {})).toThrow('"other"')
})

test('a page that is out of date is found, with its new text', () => {
  const folder = join(root(), 'docs')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.md'), '<!-- generated: list -->\nold\n<!-- end -->\n')
  writeFileSync(join(folder, 'b.md'), 'By hand.\n')
  const text = '<!-- generated: list -->\n\nnew\n\n<!-- end -->\n'
  expect(stalePages(folder, { list: () => 'new' })).toEqual([{ file: 'a.md', text }])
})
