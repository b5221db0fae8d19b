/** Screens as applications have them, with many nodes that look alike, and what may happen to them between two looks. */
import fc from 'fast-check'
import type { Bounds, UiNode, UiTree } from '../../../src/contracts/device/ui-tree.ts'
import { node } from './fake-ui-driver.ts'

const kinds = fc.constantFrom(
  'android.widget.FrameLayout',
  'android.widget.TextView',
  'android.widget.Button',
  'android.widget.EditText',
  'android.widget.ScrollView',
  'androidx.recyclerview.widget.RecyclerView',
)
const words = fc.constantFrom('', '', 'Buy', 'Milk', 'Bread', '7', '12:30')
const ids = fc.constantFrom('', '', 'app:id/row', 'app:id/name')
const small = fc.integer({ min: 0, max: 3 })

const bounds: fc.Arbitrary<Bounds> = fc
  .record({ left: small, top: small })
  .map(({ left, top }) => ({ left: left * 100, top: top * 100, right: left * 100 + 100, bottom: top * 100 + 100 }))

/** Any nesting of few kinds of nodes: nearly all of them look like another. */
export const alikeTree: fc.Arbitrary<UiTree> = fc
  .letrec<{ node: UiNode; nodes: UiNode[] }>(tie => ({
    nodes: fc.oneof({ maxDepth: 4 }, fc.constant<UiNode[]>([]), fc.array(tie('node'), { maxLength: 4 })),
    node: fc
      .record({
        className: kinds,
        text: words,
        resourceId: ids,
        contentDesc: fc.constantFrom('', '', '', 'Save'),
        scrollable: fc.boolean(),
        bounds,
        children: tie('nodes'),
      })
      .map(given => node({ ...given })),
  }))
  .nodes.map(roots => ({ rotation: 0, roots }))

/** The tree with each node as `change` makes it; undefined leaves a node out with all that is in it. */
export const changedTree = (tree: UiTree, change: (node: UiNode) => UiNode | undefined): UiTree => {
  const changed = (nodes: readonly UiNode[]): UiNode[] =>
    nodes.flatMap(each => {
      const made = change(each)
      return made === undefined ? [] : [{ ...made, children: changed(made.children) }]
    })
  return { ...tree, roots: changed(tree.roots) }
}
