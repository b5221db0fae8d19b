/** An identity means one node: the same one on the same screen, and never another one after that is gone. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ElementIdentity } from '../../../src/contracts/element-identity.ts'
import { findElement, identifyElement } from '../../../src/operator/engine/element-identity.ts'
import { walk } from '../../../src/operator/engine/match.ts'
import type { UiNode, UiTree } from '../../../src/operator/engine/ui-tree.ts'
import { accept } from '../../contracts/parse.ts'
import { alikeTree, changedTree } from '../../support/arbitrary-screen.ts'
import { anyTree } from '../../support/arbitrary-tree.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const onEachNode = (tree: UiTree, check: (found: { node: UiNode }) => void) => {
  for (const found of walk(tree.roots)) check(found)
}

/** A later look gives new objects. */
const again = (tree: UiTree): UiTree => structuredClone(tree)

const pathOf = (tree: UiTree, node: UiNode) => [...walk(tree.roots)].findIndex(each => each.node === node)

const isFoundInPlace = (tree: UiTree) => {
  const later = again(tree)
  const all = [...walk(tree.roots)]
  for (const [at, found] of all.entries()) {
    const identity = accept(ElementIdentity, JSON.parse(JSON.stringify(identifyElement(tree, found))))
    const result = findElement(later, identity)
    expect(result).toMatchObject({ ok: true })
    if (result.ok) expect(pathOf(later, result.found.node)).toBe(at)
  }
}

test('each node is found on the same screen, and is that node', () => {
  fc.assert(fc.property(alikeTree, isFoundInPlace), { numRuns: propertyRuns(500) })
})

test('also among texts that are hard to carry', () => {
  fc.assert(fc.property(anyTree, isFoundInPlace), { numRuns: propertyRuns(200) })
})

test('a node that is gone is never another one', () => {
  fc.assert(
    fc.property(alikeTree, tree => {
      onEachNode(tree, ({ node }) => {
        const identity = identifyElement(tree, { node, parent: undefined })
        const later = changedTree(tree, each => (each === node ? undefined : each))
        expect(findElement(later, identity)).toMatchObject({ ok: false })
      })
    }),
    { numRuns: propertyRuns(1_000) },
  )
})

test('states of a node, and what is typed into fields, make no difference', () => {
  fc.assert(
    fc.property(alikeTree, fc.string({ minLength: 1, maxLength: 5 }), (tree, typed) => {
      const isField = ({ className }: UiNode) => className.endsWith('EditText')
      const later = changedTree(tree, each => ({
        ...each,
        ...{ checked: !each.checked, focused: !each.focused, selected: !each.selected, enabled: !each.enabled },
        text: isField(each) ? typed : each.text,
      }))
      const after = [...walk(later.roots)]
      for (const [at, found] of [...walk(tree.roots)].entries()) {
        const result = findElement(later, identifyElement(tree, found))
        expect(result.ok && after.findIndex(each => each.node === result.found.node)).toBe(at)
      }
    }),
    { numRuns: propertyRuns(300) },
  )
})
