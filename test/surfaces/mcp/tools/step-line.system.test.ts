/** The lines of a whole execution: some clients show a model nothing else. */
import { expect, test } from 'vitest'
import { stepLine } from '../../../../src/surfaces/mcp/tools/screen.ts'

const step = (actionType: string, data: Record<string, string>) =>
  stepLine({ id: 'a', actionType, success: true, data } as Parameters<typeof stepLine>[0])

test('an answer of a page is in the line', () => {
  expect(step('read_page', { answer: '{"title":"Shop"}' })).toBe('a (read_page): {"title":"Shop"}')
  expect(step('page_script', { value: '[7]' })).toBe('a (page_script): [7]')
  expect(step('read_text', { text: 'Hi' })).toBe('a (read_text): Hi')
  expect(step('click', {})).toBe('a (click): done')
})

test('a long source of a page is cut, and says where the rest is', () => {
  const line = step('read_page', { answer: 'x'.repeat(1_000_000) })
  expect(line.length).toBeLessThan(500_000)
  expect(line).toContain('structuredContent has all of it')
})
