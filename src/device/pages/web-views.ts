/** The web views of a screen, and which of the listed pages each of them may show. */

import {
  type Bounds,
  type FoundNode,
  hasArea,
  intersection,
  labelOf,
  type UiNode,
  type UiTree,
  walk,
} from '../../contracts/device/ui-tree.ts'
import { PIECE, type Sliced } from '../../runtime/yielding.ts'
import { withAncestors } from '../screen/match.ts'
import type { ListedPage } from './page-list.ts'

export interface WebView {
  found: FoundNode
  /** The accessibility tree names the page in a node of the same class inside of the view. */
  titles: readonly string[]
}

const WEB_VIEW_CLASS = 'android.webkit.WebView'
/** A web view that answers for none of these pages shows another one. */
const CANDIDATES_MAX = 4

/** The outermost ones. */
export const webViewsIn = function* (roots: readonly UiNode[]): Sliced<WebView[]> {
  const views: (WebView & { titles: string[] })[] = []
  const within = new Map<UiNode, WebView & { titles: string[] }>()
  let seen = 0
  for (const found of walk(roots)) {
    seen += 1
    if (seen % PIECE === 0) yield
    const { node, parent } = found
    const around = parent && within.get(parent.node)
    if (around) within.set(node, around)
    if (node.className !== WEB_VIEW_CLASS) continue
    const title = labelOf(node)
    if (around) around.titles.push(...(title === '' ? [] : [title]))
    else if (hasArea(node.bounds)) {
      const view = { found, titles: title === '' ? [] : [title] }
      views.push(view)
      within.set(node, view)
    }
  }
  return views
}

const area = ({ left, top, right, bottom }: Bounds) => (right - left) * (bottom - top)

/** From 0 to 1: the share of both that they have in common. */
const overlap = (a: Bounds, b: Bounds): number => {
  const both = intersection(a, b)
  return both ? area(both) / (area(a) + area(b) - area(both)) : 0
}

/** How likely the view shows the page: by its place, then by its title. Undefined for a page in another place. */
export const likeness = ({ found: { node }, titles }: WebView, { bounds, title }: ListedPage): number | undefined => {
  if (bounds && !intersection(bounds, node.bounds)) return undefined
  return (bounds ? overlap(bounds, node.bounds) : 0) + (titles.includes(title) ? 1 : 0)
}

/** The likeliest first: those in its place, then those with its title. A page in another place is none of its. */
export const candidatesFor = (view: WebView, pages: readonly ListedPage[]): ListedPage[] =>
  pages
    .flatMap(page => {
      const rank = likeness(view, page)
      return rank === undefined ? [] : [{ page, rank }]
    })
    .sort((a, b) => b.rank - a.rank)
    .slice(0, CANDIDATES_MAX)
    .map(({ page }) => page)

/** The tree with other children in these views: new nodes on the way to them, and the same ones beside it. */
export const withChildren = (tree: UiTree, children: ReadonlyMap<WebView, readonly UiNode[]>): UiTree => {
  const newChildren = new Map([...children].map(([{ found }, nodes]) => [found.node, nodes]))
  const onTheWay = new Set(
    [...children.keys()].flatMap(({ found }) => [...withAncestors(found)].map(({ node }) => node)),
  )
  const copied = (node: UiNode): UiNode =>
    onTheWay.has(node) ? { ...node, children: newChildren.get(node) ?? node.children.map(copied) } : node
  return { ...tree, roots: tree.roots.map(copied) }
}
