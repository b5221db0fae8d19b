/** Refs on any tree: exactly the node they were given for, or none. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UiNode, UiTree } from '../../../../src/contracts/device/ui-tree.ts'
import { parseHierarchy } from '../../../../src/device/screen/parse-hierarchy.ts'
import { findAll } from '../../../../src/device/screen/search.ts'
import { snapshotXml } from '../../../../src/device/screen/snapshot-xml.ts'
import { describeNode } from '../../../../src/service/executions/screens/compact-lines.ts'
import { readScreen } from '../../../../src/service/executions/screens/read-screen.ts'
import { locatorOf, resolveRef } from '../../../../src/service/executions/screens/resolve-ref.ts'
import { nodeByPath, screenOf } from '../../../../src/service/executions/screens/screen.ts'
import { legalTree } from '../../../support/device/arbitrary-tree.ts'
import { frameNode, treeOf, uiNode } from '../../../support/device/ui-nodes.ts'
import { propertyRuns } from '../../../support/property-runs.ts'

/** Few words and classes, so that nodes look alike more often than on real screens. */
const likeliness = fc.record({
  kind: fc.constantFrom('TextView', 'Button', 'Switch', 'LinearLayout', 'EditText', 'ImageView'),
  text: fc.constantFrom('', '', 'A', 'B', 'Item 1', 'Item 2'),
  id: fc.constantFrom('', '', 'x:id/a', 'x:id/b'),
  clickable: fc.boolean(),
  checked: fc.boolean(),
})

interface Marked extends UiNode {
  /** Which node of the first tree it is. */
  mark: number
}

const screens: fc.Arbitrary<UiTree> = fc
  .letrec<{ node: UiNode; nodes: UiNode[] }>(tie => ({
    nodes: fc.array(tie('node'), { maxLength: 4 }),
    node: fc
      .tuple(likeliness, fc.oneof({ maxDepth: 3 }, fc.constant<UiNode[]>([]), tie('nodes')), fc.boolean())
      .map(([{ kind, text, id, clickable, checked }, children, scrolls]) => {
        const isContainer = children.length > 0
        const scrollable = isContainer && scrolls
        const more = isContainer ? { resourceId: id, clickable, scrollable } : { text, resourceId: id, clickable }
        return uiNode(kind, { ...more, checkable: kind === 'Switch', checked: kind === 'Switch' && checked }, children)
      }),
  }))
  .nodes.map(nodes => treeOf(frameNode(...nodes)))

const marked = ({ rotation, roots }: UiTree): UiTree => {
  let next = 0
  const mark = (node: UiNode): Marked => ({ ...node, mark: next++, children: node.children.map(mark) })
  return { rotation, roots: roots.map(mark) }
}

const markOf = (tree: UiTree, path: string) => (nodeByPath(tree, path)?.node as Marked | undefined)?.mark

/** What a person sees of it. */
const looks = (node: UiNode): string =>
  screenOf(treeOf(node), '')
    .nodes.map(line => `${line.className} ${line.id} ${describeNode(line)}`)
    .join('\n')

/** One change anywhere: a node goes, comes, says something else, is flipped, or changes places with its neighbour. */
const changed = (tree: UiTree, at: number, how: number, fresh: UiNode): UiTree => {
  let count = 0
  const change = (children: readonly UiNode[]): UiNode[] => {
    const after = children.flatMap((node): UiNode[] => {
      const isIt = count++ === at
      const same = { ...node, children: change(node.children) }
      if (!isIt) return [same]
      if (how === 0) return []
      if (how === 1) return [fresh, same]
      if (how === 2) return [{ ...same, text: node.text === 'A' ? 'B' : 'A' }]
      return how === 3 ? [{ ...same, checked: node.checkable && !node.checked }] : [same]
    })
    const [first, second, ...others] = after
    // Two that nobody could tell from each other have not changed places for anybody.
    const canSwap = how === 4 && count === at && first && second && looks(first) !== looks(second)
    return canSwap ? [second, first, ...others] : after
  }
  return { ...tree, roots: tree.roots.map(root => ({ ...root, children: change(root.children) })) }
}

test('on a tree that has not changed, each ref is its node, told by a matcher that finds no other or by a point', () => {
  fc.assert(
    fc.property(fc.oneof(screens, legalTree), tree => {
      const screen = screenOf(tree, 'com.example')
      for (const ref of screen.nodes) {
        expect(resolveRef(screen, ref, structuredClone(screen))).toMatchObject({ ok: true, node: { path: ref.path } })
        const found = nodeByPath(tree, ref.path)
        if (!found) throw new Error(`nothing is at ${ref.path}`)
        const { matcher } = locatorOf(tree, found)
        if (matcher) expect([...findAll(tree.roots, matcher)].map(({ node }) => node)).toEqual([found.node])
      }
    }),
    { numRuns: propertyRuns(500) },
  )
})

test('the same by way of the XML that devices send', () => {
  fc.assert(
    fc.property(legalTree, tree => {
      const xml = snapshotXml(tree)
      const parsed = parseHierarchy(xml)
      if (!parsed.ok) throw new Error(parsed.problem)
      const before = screenOf(parsed.tree, 'com.example')
      const wanted = before.nodes.map((_, at) => ({ before, at }))
      const read = readScreen({ xml, package: 'com.example', wanted })
      if (!read.ok) throw new Error(read.problem)
      expect(read.screen).toEqual(before)
      expect(read.found.filter(({ ok }) => !ok)).toEqual([])
    }),
    { numRuns: propertyRuns(200) },
  )
})

const RUNS = propertyRuns(20_000, 2_000)

test('on a tree that has changed, a ref is its node or none', () => {
  let standing = 0
  let fallen = 0
  fc.assert(
    fc.property(screens, fc.nat(12), fc.nat(4), likeliness, (plain, at, how, fresh) => {
      const tree = marked(plain)
      const { kind, text, id, clickable } = fresh
      const after = changed(tree, at, how, uiNode(kind, { text, resourceId: id, clickable }))
      const [before, now] = [screenOf(tree, 'com.example'), screenOf(after, 'com.example')]
      // Nobody who reads the screen could tell the two apart.
      if (JSON.stringify(before) === JSON.stringify(now)) return
      for (const ref of before.nodes) {
        const found = resolveRef(before, ref, now)
        if (found.ok) expect(markOf(after, found.node.path)).toBe(markOf(tree, ref.path))
        if (found.ok) standing += 1
        else fallen += 1
      }
    }),
    { numRuns: RUNS, seed: 12_071 },
  )
  // Neither of the two would say much if the other never came.
  expect(standing).toBeGreaterThan(RUNS / 20)
  expect(fallen).toBeGreaterThan(RUNS / 20)
})
