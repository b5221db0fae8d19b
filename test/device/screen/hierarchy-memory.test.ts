/** The tree of the screen that was read last is kept while the screen says the same. */
import { expect, test } from 'vitest'
import { createHierarchyMemory } from '../../../src/device/screen/hierarchy-memory.ts'
import { withoutPauses } from '../../../src/runtime/yielding.ts'

const screen = (label: string) => `<hierarchy><node text="${label}" class="Button" bounds="[0,0][10,10]"/></hierarchy>`

const reader = () => {
  const memory = createHierarchyMemory()
  return (xml: string) => {
    const parsed = withoutPauses(memory.reading(xml))
    return parsed.ok ? parsed.tree : undefined
  }
}

test('the same text is the same tree; another text is another one, also when it comes back', () => {
  const read = reader()
  const first = read(screen('OK'))
  expect(first?.roots[0]?.text).toBe('OK')
  expect(read(screen('OK'))).toBe(first)
  expect(read(screen('No'))?.roots[0]?.text).toBe('No')
  expect(read(screen('OK'))).not.toBe(first)
  expect(read(screen('OK'))).toEqual(first)
})

test('text that cannot be read stays refused, and a large one is not kept', () => {
  const read = reader()
  expect(read('<hierarchy>')).toBeUndefined()
  expect(read('<hierarchy>')).toBeUndefined()
  const large = screen('x'.repeat(1_024 * 1_024))
  const tree = read(large)
  expect(tree).toBeDefined()
  expect(read(large)).not.toBe(tree)
})
