/** An identity means one node: the same one on the same screen, and never another one after that is gone. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ElementIdentity } from '../../../../src/contracts/device/element-identity.ts'
import { type UiNode, type UiTree, walk } from '../../../../src/contracts/device/ui-tree.ts'
import { findElement, identifyElement } from '../../../../src/device/screen/elements/element-identity.ts'
import { accept } from '../../../contracts/parse.ts'
import { alikeTree, changedTree } from '../../../support/device/arbitrary-screen.ts'
import { anyTree } from '../../../support/device/arbitrary-tree.ts'
import { node, screen } from '../../../support/device/fake-ui-driver.ts'
import { propertyRuns } from '../../../support/property-runs.ts'

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

/** A list of named rows, each with a counter and a button that all rows have. */
const shelf = (rows: readonly { name: string; count: number }[], from: number, offset: number): UiTree =>
  screen(
    node({
      children: [
        node({ className: 'android.widget.TextView', text: 'Shelf' }),
        node({
          className: 'androidx.recyclerview.widget.RecyclerView',
          scrollable: true,
          children: rows.slice(from, from + SHOWN).map(({ name, count }, at) =>
            node({
              at: [0, at * 100 - offset, 100, at * 100 - offset + 100],
              children: [
                node({ className: 'android.widget.TextView', text: name }),
                node({ className: 'android.widget.TextView', text: String(count) }),
                node({ className: 'android.widget.Button', contentDesc: 'Add' }),
              ],
            }),
          ),
        }),
      ],
    }),
  )
const SHOWN = 4

const buttonsIn = (tree: UiTree) =>
  [...walk(tree.roots)]
    .filter(({ node: each }) => each.contentDesc === 'Add')
    .map(found => ({ found, row: found.parent?.node.children[0]?.text ?? '' }))

test('a button of a row is found while its row is there, however the list moves and counters change', () => {
  const name = fc.constantFrom('Milk', 'Bread', 'Eggs', 'Salt', 'Tea', 'Rice', 'Oats', 'Soup')
  const rows = fc.uniqueArray(fc.record({ name, count: fc.nat(9) }), { minLength: 2, selector: row => row.name })
  const view = fc.record({ from: fc.nat(5), offset: fc.nat(99) })
  fc.assert(
    fc.property(
      rows,
      view,
      view,
      fc.array(fc.nat(99), { minLength: 8, maxLength: 8 }),
      (all, before, after, counts) => {
        const changed = all.map((row, at) => ({ ...row, count: counts[at] ?? 0 }))
        const [seen, now] = [shelf(all, before.from, before.offset), shelf(changed, after.from, after.offset)]
        for (const { found, row } of buttonsIn(seen)) {
          const result = findElement(now, identifyElement(seen, found))
          const expected = buttonsIn(now).find(each => each.row === row)
          expect(result.ok ? result.found.node : undefined).toBe(expected?.found.node)
        }
      },
    ),
    { numRuns: propertyRuns(1_000) },
  )
})

/** Sections of labels and buttons, one below the other or in a page that scrolls. */
const sectionsScreen = (sections: readonly (readonly string[])[], isScrolling: boolean): UiTree =>
  screen(
    node({
      className: isScrolling ? 'android.widget.ScrollView' : 'android.widget.FrameLayout',
      scrollable: isScrolling,
      children: [
        node({
          children: sections.map(labels =>
            node({
              children: [
                ...labels.map(text => node({ className: 'android.widget.TextView', text })),
                node({ className: 'android.widget.Button', text: 'Confirm' }),
                node({ className: 'android.widget.Button', text: 'Cancel' }),
              ],
            }),
          ),
        }),
      ],
    }),
  )

const labelText = fc.constantFrom('Review', 'To Alice', 'Amount', 'Account', 'Home', 'Mail', 'Terms', 'Fee')

test('a label of its section that says something else makes each button of the section stale', () => {
  const sections = fc.array(fc.array(labelText, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(sections, fc.nat(), fc.nat(), fc.boolean(), (labels, nthSection, nthLabel, isScrolling) => {
      const section = nthSection % labels.length
      const position = nthLabel % (labels[section]?.length ?? 1)
      const changed = labels.map((all, at) =>
        at === section ? all.map((text, nth) => (nth === position ? 'To Bob' : text)) : all,
      )
      const [before, after] = [sectionsScreen(labels, isScrolling), sectionsScreen(changed, isScrolling)]
      const buttons = [...walk(before.roots)].filter(({ node: each }) => each.className.endsWith('Button'))
      for (const found of buttons.slice(section * 2, section * 2 + 2)) {
        expect(findElement(after, identifyElement(before, found))).toMatchObject({ ok: false })
      }
    }),
    { numRuns: propertyRuns(500) },
  )
})

test('a row of a list in which a word has changed makes its buttons stale, and no button means another row', () => {
  const rows = fc.uniqueArray(fc.array(labelText, { minLength: 1, maxLength: 4 }), {
    ...{ minLength: 1, maxLength: 5, selector: String },
  })
  const listScreen = (all: readonly (readonly string[])[]) =>
    screen(
      node({
        className: 'androidx.recyclerview.widget.RecyclerView',
        scrollable: true,
        children: sectionsScreen(all, false).roots[0]?.children[0]?.children ?? [],
      }),
    )
  fc.assert(
    fc.property(rows, fc.nat(), fc.nat(), (all, nthRow, nthWord) => {
      const row = nthRow % all.length
      const position = nthWord % (all[row]?.length ?? 1)
      const changed = all.map((words, at) =>
        at === row ? words.map((text, nth) => (nth === position ? 'To Bob' : text)) : words,
      )
      const [before, after] = [listScreen(all), listScreen(changed)]
      const later = [...walk(after.roots)]
      for (const [at, found] of [...walk(before.roots)].entries()) {
        if (!found.node.className.endsWith('Button')) continue
        const result = findElement(after, identifyElement(before, found))
        const isOfRow = found.parent?.node === before.roots[0]?.children[row]
        if (isOfRow) expect(result).toMatchObject({ ok: false })
        if (result.ok) expect(later.findIndex(each => each.node === result.found.node)).toBe(at)
      }
    }),
    { numRuns: propertyRuns(500) },
  )
})
