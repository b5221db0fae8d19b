/** Parts of XPath that a screen cannot have are refused with what to write instead, and long expressions are shortened. */
import { expect, test } from 'vitest'
import { locate } from '../../../../src/device/screen/locators/locate.ts'
import { parseHierarchy } from '../../../../src/device/screen/parse-hierarchy.ts'
import { SCREEN } from '../../../support/webdriver/webdriver-bench.ts'

const located = async (value: string) => {
  const parsed = parseHierarchy(SCREEN)
  if (!parsed.ok) throw new Error(parsed.problem)
  return await locate({ strategy: 'xpath', value, tree: parsed.tree, foregroundPackage: 'a.b' })
}

test.each([
  ['id("x")', 'resource-id'],
  ['//*[id("x")]', 'resource-id'],
  ['//*/namespace::*', 'namespaces'],
])('%s', async (expression, said) => {
  expect(await located(expression)).toMatchObject({ ok: false, message: expect.stringContaining(said) })
})

test('texts that look like them are texts', async () => {
  expect(await located('//*[contains(@text, "id(namespace::")]')).toEqual({ ok: true, nodes: [] })
})

test('a long expression is shortened in the message', async () => {
  const answer = await located(`//*[${'('.repeat(5_000)}`)
  expect(answer.ok ? 0 : answer.message.length).toBeLessThan(1_000)
  expect(answer.ok).toBe(false)
})
