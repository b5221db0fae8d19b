/** ARCHITECTURE shows every statechart: whoever adds a machine adds its picture. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CHARTS } from '../../machines/charts.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const linked = [
  ...readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(/\]\((?:\.\/)?statecharts\/([\w-]+)\.svg\)/g),
].map(([, name]) => name)

test('every machine is linked, and every link leads to a picture', () => {
  expect([...new Set(linked)].sort()).toEqual(Object.keys(CHARTS).sort())
  expect(linked.filter(name => !existsSync(join(ROOT, `statecharts/${name}.svg`)))).toEqual([])
})
