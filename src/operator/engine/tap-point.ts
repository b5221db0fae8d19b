/** Where a touch lands on the node that was matched, and on nothing that lies over it and takes touches itself. */
import { centreOf, contains, hasArea, intersection } from './bounds.ts'
import { type FoundNode, isOnScreen, labelOf, outwards, walk } from './match.ts'
import type { Bounds, Point, UiNode } from './ui-tree.ts'

/** Something over a part of the screen that takes the touches there. */
export interface Cover {
  kind: 'keyboard' | 'window' | 'node'
  /** As messages name it. */
  name: string
  bounds: Bounds
}

/** Neither for a node that has no part on the screen. */
export interface Aim {
  point?: Point
  coveredBy?: Cover
}

const SHOWN_CHARS = 60
/** More covers than this are not searched for gaps between them; a point is still checked against all. */
const GAPS_OF_MAX = 200

/** It begins at 0; where it ends, the nodes around say. */
const SCREEN: Bounds = { left: 0, top: 0, right: Number.POSITIVE_INFINITY, bottom: Number.POSITIVE_INFINITY }

const width = ({ left, right }: Bounds) => right - left
const height = ({ top, bottom }: Bounds) => bottom - top
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

const takesTouches = (node: UiNode) => node.clickable || node.longClickable

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

const coversOf = (found: FoundNode, receiver: UiNode): Covers => {
  const chain = new Set([...outwards(found)].map(around => around.node))
  const inside = new Set([...walk(found.node.children)].map(inner => inner.node))
  const covers: Covers = { over: [], near: [] }
  const root = [...outwards(found)].at(-1) ?? found
  let hasPassed = false
  let isWithinReceiver = false
  for (const { node } of walk([root.node])) {
    if (node === found.node) hasPassed = true
    if (node === receiver) isWithinReceiver = true
    if (chain.has(node) || !isOnScreen(node)) continue
    const cover: Cover = { kind: 'node', name: named(node), bounds: node.bounds }
    const isOver = hasPassed && !inside.has(node)
    if (takesTouches(node)) {
      if (isOver) covers.over.push(cover)
      else if (hasPassed || isWithinReceiver) covers.near.push(cover)
    } else if (isOver && node.scrollable) covers.near.push(cover)
  }
  return covers
}

/** The centre if it is free, else the middle of the widest gap between the covers. */
const freePoint = (area: Bounds, covers: readonly Cover[]): Point | undefined => {
  const inArea = covers.flatMap(({ bounds }) => intersection(bounds, area) ?? [])
  const isFree = (point: Point) => !inArea.some(bounds => contains(bounds, point))
  const centre = centreOf(area)
  if (isFree(centre)) return centre
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

/** `others` are windows over the one that the node is in. `receiver` is the node itself or one around it. */
export const aim = (found: FoundNode, receiver: UiNode, others: readonly Cover[] = []): Aim => {
  const area = visibleArea(found, receiver)
  if (!area) return {}
  const { over, near } = coversOf(found, receiver)
  const blocking = [...others, ...over]
  const point = freePoint(area, [...blocking, ...near]) ?? freePoint(area, blocking)
  if (point) return { point }
  const centre = centreOf(area)
  const cover = blocking.find(({ bounds }) => contains(bounds, centre))
  return cover ? { coveredBy: cover } : { point: centre }
}
