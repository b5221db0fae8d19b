/** The declarations of requests: complete, on paths that do not clash, and light for those who only need a path. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nameOf } from '../../src/contracts/json/json-schema.ts'
import { OPERATIONS } from '../../src/contracts/operations/all.ts'
import type { Operation } from '../../src/contracts/operations/operation.ts'
import { ROUTES } from '../../src/contracts/operations/routes.ts'
import { ROOT } from '../architecture/sources.ts'

const routes = Object.values(ROUTES)
const operations: readonly Operation[] = Object.values(OPERATIONS)

test('no two requests have one method and path', () => {
  const keys = routes.map(([method, path]) => `${method} ${path.replace(/:\w+/g, ':')}`)
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
})

test('a request that only looks is a GET, but for those that a body describes', () => {
  const posted = Object.entries(ROUTES).filter(([, [method, , effect]]) => effect === 'looks' && method !== 'GET')
  expect(posted.map(([id]) => id)).toEqual(['snapshot', 'screenshot', 'viewer.look'])
})

test('every shape has a name in the document', () => {
  for (const { body, query, answers } of operations) {
    for (const schema of [body, query]) if (schema) nameOf(schema)
    if (typeof answers === 'object' && 'kind' in answers) nameOf(answers)
  }
})

test('the table of routes loads nothing', () => {
  expect(readFileSync(join(ROOT, 'src/contracts/operations/routes.ts'), 'utf8')).not.toMatch(/^import /m)
})
