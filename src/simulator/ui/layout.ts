/** From the nodes of a screen to what is visible of them: places, scroll positions and what the edges cut off. */

import { type Bounds, contains, intersection, type Point, type UiNode } from '../../contracts/device/ui-tree.ts'
import { inPaintOrder } from '../../device/screen/tap-point.ts'
import type { Metrics } from '../render/typesetting.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import type { Condition } from '../scenario/reaction.ts'
import { type CurrentNode, currentNodeOf, sourceOf } from './current-node.ts'
import { arrange, type Cell, paddingOf, type Sizing } from './measure.ts'
import { isDue, type OpenScreen } from './open-screen.ts'
import type { State } from './state.ts'
import { rectangleOf, windowFor } from './windows.ts'

/** A visible node: `bounds` may reach beyond what is seen of it. */
export interface PlacedNode {
  source: ScenarioNode
  current: CurrentNode
  bounds: Bounds
  node: UiNode
  children: readonly PlacedNode[]
  scroll?: Scroll
}

interface Scroll {
  axis: 'x' | 'y'
  offset: number
  /** How far it can go. */
  end: number
}

const BULLET = '•'
const NONE: readonly never[] = []
const NOT_MOVED = { x: 0, y: 0 }

export const shownText = ({ text, hint, editable, password }: CurrentNode): string => {
  if ((editable || password) && text === '') return hint
  return password ? BULLET.repeat([...text].length) : text
}

/** The text of an empty field is its hint. Of a screen that was made of a dump, only the dump could say which text is one. */
const hintOf = (
  { text, hint, editable }: CurrentNode,
  { screen }: Pick<LayoutInput['entry'], 'screen'>,
): Pick<UiNode, 'hint' | 'hintText'> => {
  if (hint === '' || !editable || !screen.frame) return {}
  return text === '' ? { hint } : { hintText: hint }
}

export interface LayoutInput {
  entry: OpenScreen
  state: State
  metrics: Metrics
  /** In quarter turns. */
  rotation: number
  now: number
  /** The top edge of the keyboard while it is shown. */
  keyboardTop?: number | undefined
  holds(condition: Condition | undefined): boolean
}

export const layOut = (input: LayoutInput) => {
  const { entry, state, metrics, now, holds } = input
  const currentNodes = new Map<ScenarioNode, CurrentNode>()
  const current = (node: ScenarioNode): CurrentNode => {
    const known = currentNodes.get(node) ?? currentNodeOf(node, entry.app, entry, state)
    currentNodes.set(node, known)
    return known
  }
  const shownNodes = (nodes: readonly ScenarioNode[]): CurrentNode[] =>
    nodes
      .filter(node => isDue(node, entry, now) && holds(node.showIf))
      .map(current)
      .filter(({ hidden }) => !hidden)
  const sizing: Sizing = {
    metrics,
    shownNodes: node => shownNodes(node.nodes).filter(child => child.bounds === undefined),
    textOf: shownText,
  }

  const uiNode = (node: CurrentNode, bounds: Bounds, children: readonly UiNode[]): UiNode => ({
    text: shownText(node),
    resourceId: node.resourceId,
    className: node.className,
    packageName: node.package ?? entry.app.package,
    contentDesc: node.contentDesc,
    checkable: node.checkable,
    checked: node.checked,
    clickable: node.clickable,
    enabled: node.enabled,
    focusable: node.focusable,
    focused: entry.focus ? entry.focus.field === sourceOf(node) : node.focused,
    scrollable: node.scrollable,
    longClickable: node.longClickable,
    password: node.password,
    selected: node.selected,
    ...hintOf(node, entry),
    ...(node.drawingOrder === undefined ? {} : { drawingOrder: node.drawingOrder }),
    bounds,
    children,
  })

  /** How far a list is scrolled: at most to its end, which may have come nearer since. */
  const scrollOf = (list: CurrentNode, room: Bounds, cells: readonly Cell[]): Scroll => {
    const axis = list.layout === 'row' ? 'x' : 'y'
    const edgeOf = ({ box }: Cell) => (axis === 'x' ? box.left + box.width : box.top + box.height)
    const last = cells.reduce((furthest, cell) => Math.max(furthest, edgeOf(cell)), Number.NEGATIVE_INFINITY)
    const end = Math.max(0, last - (axis === 'x' ? room.right : room.bottom))
    return { axis, end, offset: Math.min(end, entry.scrolled.get(sourceOf(list)) ?? 0) }
  }

  const shifted = ({ node, box }: Cell, { x, y }: typeof NOT_MOVED): Cell => ({
    node,
    box: { ...box, left: box.left - x, top: box.top - y },
  })

  /** `moved` is how far the lists around it are scrolled: what has bounds of its own goes along. */
  const place = (
    { node, box }: Cell,
    clip: Bounds,
    parent: CurrentNode | undefined,
    moved: typeof NOT_MOVED,
  ): PlacedNode[] => {
    const bounds = rectangleOf(box)
    const visible = node.clip ? intersection(bounds, clip) : bounds
    if (!visible) return []
    const source = sourceOf(node)
    if (node.nodes.length === 0 && !node.scrollable) {
      return [{ source, current: node, bounds, node: uiNode(node, visible, NONE), children: NONE }]
    }
    const { x, y } = paddingOf(node, parent, metrics)
    const room = {
      left: box.left + x,
      top: box.top + y,
      width: Math.max(0, box.width - 2 * x),
      height: Math.max(0, box.height - 2 * y),
    }
    const cells = arrange(shownNodes(node.nodes), room, sizing, node).map(cell =>
      cell.node.bounds ? shifted(cell, moved) : cell,
    )
    const scroll = node.scrollable ? scrollOf(node, rectangleOf(room), cells) : undefined
    const offset = { x: scroll?.axis === 'x' ? scroll.offset : 0, y: scroll?.axis === 'y' ? scroll.offset : 0 }
    const all = { x: moved.x + offset.x, y: moved.y + offset.y }
    const children = cells.flatMap(cell => place(shifted(cell, offset), visible, node, all))
    const inside = children.flatMap(({ source: { element }, node: child }) =>
      element?.accessible === false ? child.children : [child],
    )
    return [{ source, current: node, bounds, node: uiNode(node, visible, inside), children, ...(scroll && { scroll }) }]
  }

  const outermost = shownNodes(entry.screen.nodes)
  const { window, content, frame } = windowFor({ entry, nodes: outermost, sizing, keyboardTop: input.keyboardTop })
  const roots = arrange(outermost, content, sizing, undefined).flatMap(cell =>
    place(cell, rectangleOf(content), undefined, NOT_MOVED),
  )
  const nodes = roots.map(({ node }) => node)
  const tree = { rotation: input.rotation, roots: frame ? [frame(nodes)] : nodes }
  return {
    roots,
    tree,
    /** The part of the screen that belongs to it. */
    window,
  }
}

export type LaidOutScreen = ReturnType<typeof layOut>

/** From the first drawn to the last. */
export const inDrawOrder = (siblings: readonly PlacedNode[]): readonly PlacedNode[] =>
  inPaintOrder(siblings, ({ node }) => node)

/** Android hands a touch down: it asks the children from the last drawn to the first, then the node itself. */
export const touchTargetAt = (
  roots: readonly PlacedNode[],
  point: Point,
  takes: (placed: PlacedNode) => boolean,
): PlacedNode | undefined => {
  for (const placed of inDrawOrder(roots).toReversed()) {
    if (!contains(placed.node.bounds, point)) continue
    const taker = touchTargetAt(placed.children, point, takes) ?? (takes(placed) ? placed : undefined)
    if (taker) return taker
  }
  return undefined
}

const find = (roots: readonly PlacedNode[], matches: (placed: PlacedNode) => boolean): PlacedNode | undefined => {
  for (const placed of roots) {
    const found = matches(placed) ? placed : find(placed.children, matches)
    if (found) return found
  }
  return undefined
}

export const placedNodeFor = (roots: readonly PlacedNode[], source: ScenarioNode): PlacedNode | undefined =>
  find(roots, placed => placed.source === source)

const isSame = (a: UiNode, b: UiNode): boolean =>
  a.className === b.className &&
  a.resourceId === b.resourceId &&
  (['left', 'top', 'right', 'bottom'] as const).every(edge => a.bounds[edge] === b.bounds[edge])

/** A node of an earlier reading, where it still is. */
export const placedNodeLike = (roots: readonly PlacedNode[], node: UiNode): PlacedNode | undefined =>
  find(roots, placed => placed.node === node) ?? find(roots, placed => isSame(placed.node, node))

/** The lists, each with how far it is scrolled. */
export const scrolledLists = (roots: readonly PlacedNode[]): { node: UiNode; scroll: Scroll }[] =>
  roots.flatMap(({ node, scroll, children }) => [...(scroll ? [{ node, scroll }] : []), ...scrolledLists(children)])

/** Fields with nothing in them: what they show is their hint. */
export const emptyFields = (roots: readonly PlacedNode[]): UiNode[] =>
  roots.flatMap(({ source, current, node, children }) => [
    ...(source.editable && current.text === '' ? [node] : []),
    ...emptyFields(children),
  ])
