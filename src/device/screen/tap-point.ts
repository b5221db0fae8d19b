/** Finds a point on the matched node that nothing covers: nothing above it there takes touches itself. */

import { type Role, roleOf } from '../../contracts/device/role.ts'
import {
  type Bounds,
  centreOf,
  contains,
  type FoundNode,
  hasArea,
  intersection,
  isOnScreen,
  labelOf,
  type Point,
  type UiNode,
} from '../../contracts/device/ui-tree.ts'
import { PIECE, type Sliced, withoutPauses } from '../../runtime/yielding.ts'
import { withAncestors } from './match.ts'

/** Android counts from 1; 0 is what it says of a view that has not been laid out. */
const orderOf = ({ drawingOrder = 0 }: Pick<UiNode, 'drawingOrder'>): number => drawingOrder

/**
 * Siblings from the first drawn to the last. Those without an order keep their places in the document, and so does the
 * one that is written first of two with the same order.
 */
export const inPaintOrder = <T>(siblings: readonly T[], nodeOf: (sibling: T) => UiNode): readonly T[] => {
  const order = (sibling: T) => orderOf(nodeOf(sibling))
  const known = siblings.filter(sibling => order(sibling) > 0)
  if (known.every((sibling, index) => index === 0 || order(known[index - 1] ?? sibling) <= order(sibling))) {
    return siblings
  }
  const sorted = known.sort((a, b) => order(a) - order(b)).values()
  return siblings.map(sibling => (order(sibling) > 0 ? (sorted.next().value ?? sibling) : sibling))
}

/** More covers than this are not searched for gaps between them; a point is still checked against all. */
const GAPS_OF_MAX = 200
/** The area is divided into so many columns, and so many rows, of cells. */
const CELLS = 32

const width = ({ left, right }: Bounds) => right - left
const height = ({ top, bottom }: Bounds) => bottom - top

/** The rectangles that each cell of the area has to do with; undefined where one of them holds all of it. */
const cellsOf = function* (area: Bounds, covers: readonly Bounds[]) {
  const size = { x: Math.ceil(width(area) / CELLS), y: Math.ceil(height(area) / CELLS) }
  const cells = Array.from({ length: CELLS * CELLS }, (): Bounds[] | undefined => [])
  const spanOf = (from: number, to: number, start: number, step: number) => ({
    first: Math.floor((from - start) / step),
    last: Math.min(CELLS - 1, Math.floor((to - 1 - start) / step)),
  })
  for (const [index, cover] of covers.entries()) {
    if (index % PIECE === 0) yield
    const across = spanOf(cover.left, cover.right, area.left, size.x)
    const down = spanOf(cover.top, cover.bottom, area.top, size.y)
    for (let y = down.first; y <= down.last; y++) {
      const top = area.top + y * size.y
      const isWholeRow = cover.top <= top && cover.bottom >= Math.min(area.bottom, top + size.y)
      for (let x = across.first; x <= across.last; x++) {
        const cell = cells[y * CELLS + x]
        if (!cell) continue
        const left = area.left + x * size.x
        const isWhole = isWholeRow && cover.left <= left && cover.right >= Math.min(area.right, left + size.x)
        if (isWhole) cells[y * CELLS + x] = undefined
        else cell.push(cover)
      }
    }
  }
  return ({ x, y }: Point): boolean => {
    const at = Math.floor((y - area.top) / size.y) * CELLS + Math.floor((x - area.left) / size.x)
    return cells[at]?.every(cover => !contains(cover, { x, y })) ?? false
  }
}

/** The centre if it is free, else the middle of the widest gap between the covers. */
const freePoint = function* (area: Bounds, covers: readonly Bounds[]): Sliced<Point | undefined> {
  const inArea = covers.flatMap(cover => intersection(cover, area) ?? [])
  const centre = centreOf(area)
  if (!inArea.some(cover => contains(cover, centre))) return centre
  const isFree = yield* cellsOf(area, inArea)
  const cut = inArea.slice(0, GAPS_OF_MAX)
  const edges = [...new Set([area.left, area.right, ...cut.flatMap(({ left, right }) => [left, right])])].sort(
    (a, b) => a - b,
  )
  let widest: Bounds | undefined
  const offer = (gap: Bounds) => {
    const size = (bounds: Bounds) => Math.min(width(bounds), height(bounds))
    if (hasArea(gap) && (!widest || size(gap) > size(widest)) && isFree(centreOf(gap))) widest = gap
  }
  for (const [index, left] of edges.entries()) {
    yield
    const right = edges[index + 1]
    if (right === undefined) break
    const column = cut.filter(bounds => bounds.left < right && bounds.right > left).sort((a, b) => a.top - b.top)
    let top = area.top
    for (const bounds of column) {
      offer({ left, top, right, bottom: Math.min(bounds.top, area.bottom) })
      top = Math.max(top, bounds.bottom)
    }
    offer({ left, top, right, bottom: area.bottom })
  }
  return widest && centreOf(widest)
}

/** Something over a part of the screen that takes the touches there. */
export interface Cover {
  kind: 'keyboard' | 'window' | 'node'
  /** The name of the cover in messages. */
  name: string
  bounds: Bounds
}

/** Neither for a node that has no part on the screen. */
interface TapPoint {
  point?: Point
  /** Something is at the point of which nothing tells if it is drawn over the node. */
  isUnsure?: true
  coveredBy?: Cover
}

const SHOWN_CHARS = 60

/** It begins at 0; where it ends, the nodes around say. */
const SCREEN: Bounds = { left: 0, top: 0, right: Number.POSITIVE_INFINITY, bottom: Number.POSITIVE_INFINITY }

/** A touch goes through each node around, so it must be inside them all; an ancestor without area clips nothing. */
const visibleArea = ({ node, parent }: FoundNode, receiver: UiNode): Bounds | undefined => {
  const around = parent === undefined ? [] : [...withAncestors(parent)].map(found => found.node).filter(isOnScreen)
  const within = (nodes: readonly UiNode[]) =>
    nodes.reduce<Bounds | undefined>(
      (area, { bounds }) => area && intersection(area, bounds),
      intersection(node.bounds, SCREEN),
    )
  return within(around) ?? within([...around.slice(-1), receiver])
}

const takesTouches = (node: UiNode) =>
  node.clickable || node.longClickable || (node.focusable && roleOf(node) === 'textfield')

const named = (node: UiNode): string => {
  const label = labelOf(node).slice(0, SHOWN_CHARS)
  if (label) return JSON.stringify(label)
  return node.resourceId || node.className || 'another node'
}

const holds = (outer: Bounds, inner: Bounds): boolean =>
  outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom

/** Nodes of these roles draw all of their area. A container that takes touches may draw nothing, and lie below what it seems to be over. */
const OPAQUE_ROLES: readonly (Role | undefined)[] = [
  ...(['button', 'checkbox', 'dropdown', 'image', 'radio', 'slider', 'switch', 'tab', 'textfield', 'web'] as const),
]

/** The part of Android's own dialogs that holds everything else of them. */
const isDialogPanel = ({ resourceId }: UiNode) => resourceId.endsWith(':id/parentPanel')

interface Covers {
  /** Drawn later, and takes touches: a touch would go there. */
  over: Cover[]
  /** Better avoided: inside the node, beneath it within its receiver, or only known to scroll. */
  near: Cover[]
  /** Written later than the node, where no order of drawing is told, and not known to take the touches there. */
  unsure: Bounds[]
}

interface Visit {
  node: UiNode
  isInside: boolean
  isInReceiver: boolean
  /** The tree says which is drawn first: this one, or the one that the node is in. */
  isTold: boolean
}

const isOrderTold = (one: UiNode, other: UiNode | undefined): boolean =>
  other !== undefined && orderOf(one) > 0 && orderOf(other) > 0 && orderOf(one) !== orderOf(other)

type Way = 'over' | 'near' | 'unsure' | undefined

/** How something counts that is drawn, or written, after the node and is not in it. */
const wayOver = (node: UiNode, target: UiNode, { isTold, isInReceiver }: Visit): Way => {
  if (isDialogPanel(node)) return 'over'
  const isTaker = takesTouches(node)
  if (isTold) return isTaker ? 'over' : node.scrollable ? 'near' : undefined
  if (isTaker) return OPAQUE_ROLES.includes(roleOf(node)) || !holds(node.bounds, target.bounds) ? 'over' : 'unsure'
  // Within the receiver the touch goes to the same node.
  return isInReceiver ? (node.scrollable ? 'near' : undefined) : 'unsure'
}

/** In the order in which the nodes are drawn. With all of their bounds: web pages let nodes reach out of those around. */
const coversOf = function* (found: FoundNode, receiver: UiNode): Sliced<Covers> {
  const chain = new Set([...withAncestors(found)].map(around => around.node))
  const covers: Covers = { over: [], near: [], unsure: [] }
  const root = ([...withAncestors(found)].at(-1) ?? found).node
  const stack: Visit[] = [{ node: root, isInside: false, isInReceiver: false, isTold: false }]
  let hasPassed = false
  let visited = 0
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    visited += 1
    if (visited % PIECE === 0) yield
    const { node, isInside } = visit
    const isInReceiver = visit.isInReceiver || node === receiver
    if (node === found.node) hasPassed = true
    if (isOnScreen(node) && !chain.has(node)) {
      const cover: Cover = { kind: 'node', name: named(node), bounds: node.bounds }
      const isBeside = takesTouches(node) && (hasPassed || isInReceiver)
      const way = hasPassed && !isInside ? wayOver(node, found.node, visit) : isBeside ? 'near' : undefined
      if (way === 'unsure') covers.unsure.push(node.bounds)
      else if (way !== undefined) covers[way].push(cover)
      if (way === 'unsure' && node.scrollable && !takesTouches(node)) covers.near.push(cover)
    }
    const inside = { isInside: isInside || node === found.node, isInReceiver }
    const drawn = inPaintOrder(node.children, child => child)
    const chainChild = chain.has(node) ? node.children.find(child => chain.has(child)) : undefined
    for (let index = drawn.length - 1; index >= 0; index--) {
      const child = drawn[index]
      if (child) stack.push({ node: child, ...inside, isTold: visit.isTold || isOrderTold(child, chainChild) })
    }
  }
  return covers
}

/** `others` are windows over the one that the node is in. `receiver` is the node itself or one around it. No other point than `wanted` will do. */
export const findingTapPoint = function* (
  found: FoundNode,
  receiver: UiNode,
  others: readonly Cover[] = [],
  wanted?: Point,
): Sliced<TapPoint> {
  const area = visibleArea(found, receiver)
  if (!area || !hasArea(area) || (wanted && !contains(area, wanted))) return {}
  const { over, near, unsure } = yield* coversOf(found, receiver)
  const at = (point: Point): TapPoint =>
    unsure.some(bounds => contains(bounds, point)) ? { point, isUnsure: true } : { point }
  const blocking = [...others, ...over]
  if (wanted) {
    const cover = blocking.find(({ bounds }) => contains(bounds, wanted))
    return cover ? { coveredBy: cover } : at(wanted)
  }
  const places = (covers: readonly Cover[]) => covers.map(({ bounds }) => bounds)
  const soft = near.length === 0 ? undefined : yield* freePoint(area, places([...blocking, ...near]))
  const free = soft ?? (yield* freePoint(area, places(blocking)))
  if (free) return at(free)
  const centre = centreOf(area)
  const cover = blocking.find(({ bounds }) => contains(bounds, centre))
  return cover ? { coveredBy: cover } : at(centre)
}

/** Aims in one go: in a thread of its own, or for small trees. */
export const findTapPoint = (found: FoundNode, receiver: UiNode, others?: readonly Cover[]): TapPoint =>
  withoutPauses(findingTapPoint(found, receiver, others))
