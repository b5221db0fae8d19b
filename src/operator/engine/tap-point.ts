/** Finds a point on the matched node that nothing covers: nothing above it there takes touches itself. */
import { atOnce, PIECE, type Sliced } from '../../runtime/slices.ts'
import { centreOf, contains, hasArea, intersection } from './bounds.ts'
import { freePoint } from './free-point.ts'
import { type FoundNode, isOnScreen, labelOf, outwards } from './match.ts'
import { inPaintOrder } from './paint-order.ts'
import { roleOf } from './role.ts'
import type { Bounds, Point, UiNode } from './ui-tree.ts'

/** Something over a part of the screen that takes the touches there. */
export interface Cover {
  kind: 'keyboard' | 'window' | 'node'
  /** The name of the cover in messages. */
  name: string
  bounds: Bounds
}

/** Neither for a node that has no part on the screen. */
export interface Aim {
  point?: Point
  coveredBy?: Cover
}

const SHOWN_CHARS = 60

/** It begins at 0; where it ends, the nodes around say. */
const SCREEN: Bounds = { left: 0, top: 0, right: Number.POSITIVE_INFINITY, bottom: Number.POSITIVE_INFINITY }

/** A touch goes through each node around, so it must be inside them all; an ancestor without area clips nothing. */
const visibleArea = ({ node, parent }: FoundNode, receiver: UiNode): Bounds | undefined => {
  const around = parent === undefined ? [] : [...outwards(parent)].map(found => found.node).filter(isOnScreen)
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

interface Covers {
  /** Drawn later, and takes touches: a touch would go there. */
  over: Cover[]
  /** Better avoided: inside the node, beneath it within its receiver, or only known to scroll. */
  near: Cover[]
}

interface Visit {
  node: UiNode
  isInside: boolean
  isInReceiver: boolean
}

/** In the order in which the nodes are drawn. With all of their bounds: web pages let nodes reach out of those around. */
const coversOf = function* (found: FoundNode, receiver: UiNode): Sliced<Covers> {
  const chain = new Set([...outwards(found)].map(around => around.node))
  const covers: Covers = { over: [], near: [] }
  const root = ([...outwards(found)].at(-1) ?? found).node
  const stack: Visit[] = [{ node: root, isInside: false, isInReceiver: false }]
  let hasPassed = false
  let visited = 0
  for (let visit = stack.pop(); visit; visit = stack.pop()) {
    visited += 1
    if (visited % PIECE === 0) yield
    const { node, isInside } = visit
    const isInReceiver = visit.isInReceiver || node === receiver
    if (node === found.node) hasPassed = true
    if (isOnScreen(node) && !chain.has(node)) {
      const isOver = hasPassed && !isInside
      const isTaker = takesTouches(node)
      const group = isTaker && isOver ? covers.over : covers.near
      const isNear = isTaker ? hasPassed || isInReceiver : isOver && node.scrollable
      if (isNear) group.push({ kind: 'node', name: named(node), bounds: node.bounds })
    }
    const inside = { isInside: isInside || node === found.node, isInReceiver }
    const drawn = inPaintOrder(node.children, child => child)
    for (let index = drawn.length - 1; index >= 0; index--) {
      const child = drawn[index]
      if (child) stack.push({ node: child, ...inside })
    }
  }
  return covers
}

/** `others` are windows over the one that the node is in. `receiver` is the node itself or one around it. */
export const aiming = function* (found: FoundNode, receiver: UiNode, others: readonly Cover[] = []): Sliced<Aim> {
  const area = visibleArea(found, receiver)
  if (!area || !hasArea(area)) return {}
  const { over, near } = yield* coversOf(found, receiver)
  const blocking = [...others, ...over]
  const places = (covers: readonly Cover[]) => covers.map(({ bounds }) => bounds)
  const soft = near.length === 0 ? undefined : yield* freePoint(area, places([...blocking, ...near]))
  const free = soft ?? (yield* freePoint(area, places(blocking)))
  if (free) return { point: free }
  const centre = centreOf(area)
  const cover = blocking.find(({ bounds }) => contains(bounds, centre))
  return cover ? { coveredBy: cover } : { point: centre }
}

/** Aims in one go: in a thread of its own, or for small trees. */
export const aim = (found: FoundNode, receiver: UiNode, others?: readonly Cover[]): Aim =>
  atOnce(aiming(found, receiver, others))
