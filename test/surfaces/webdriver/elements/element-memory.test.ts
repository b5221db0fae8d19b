/** The ids of elements: the same for the same element, bounded in number, and never another one's. */
import { expect, test } from 'vitest'
import type { ElementIdentity } from '../../../../src/contracts/device/element-identity.ts'
import { walk } from '../../../../src/contracts/device/ui-tree.ts'
import { identifyElement } from '../../../../src/device/screen/elements/element-identity.ts'
import { createElementMemory } from '../../../../src/surfaces/webdriver/elements/element-memory.ts'
import { node, screen } from '../../../support/device/fake-ui-driver.ts'

const tree = screen(...['a', 'b', 'c', 'd'].map(text => node({ text })))
const [a, b, c, d] = [...walk(tree.roots)].map(found => identifyElement(tree, found))
if (!a || !b || !c || !d) throw new Error('the tree has four nodes')

const memoryOf = (most: number) => {
  let given = 0
  const newId = () => {
    given += 1
    return `id-${given}`
  }
  return createElementMemory<ElementIdentity>(newId, { elementsMax: most })
}

test('the same element has the same id, and another one has another', () => {
  const memory = memoryOf(10)
  expect([memory.idOf(a), memory.idOf(b), memory.idOf(structuredClone(a))]).toEqual(['id-1', 'id-2', 'id-1'])
  expect(memory.identityOf('id-2')).toEqual(b)
})

test('the one that was not used for longest is forgotten, and its id is stale', () => {
  const memory = memoryOf(2)
  memory.idOf(a)
  memory.idOf(b)
  memory.identityOf('id-1')
  memory.idOf(c)
  expect(memory.identityOf('id-1')).toEqual(a)
  expect(() => memory.identityOf('id-2')).toThrow(
    expect.objectContaining({ error: 'stale element reference', message: expect.stringContaining('Find it again') }),
  )
  expect(memory.idOf(b)).toBe('id-4')
})

test('an id that was never given is no such element', () => {
  const memory = memoryOf(2)
  expect(() => memory.identityOf('id-1')).toThrow(expect.objectContaining({ error: 'no such element' }))
})
