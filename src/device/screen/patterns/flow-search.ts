/** Finds the nodes of a tree that a selector of a flow means. */

import {
  type Bounds,
  centreOf,
  type FoundNode,
  isOnScreen,
  type UiNode,
  walk,
} from '../../../contracts/device/ui-tree.ts'
import type { FlowSelector, TRAITS } from '../../../contracts/flows/flow-selector.ts'
import { PIECE, type Sliced } from '../../../runtime/yielding.ts'
import { flowPattern, flowTextPattern } from './flow-pattern.ts'

interface PlacedNode {
  found: FoundNode
  node: UiNode
  /** The position behind the last node inside of this one. */
  end: number
}

/** All nodes, each before those inside of it; the positions from `from` to below `to` are looked at. */
interface Scope {
  nodes: readonly PlacedNode[]
  from: number
  to: number
}

/** Positions of nodes. */
type Positions = readonly number[]
type NodeTest = (node: UiNode) => Sliced<boolean>
type PlainTest = (node: UiNode) => boolean

const LONG_TEXT_CHARS = 200
const SQUARE_TOLERANCE = 0.03

const placed = function* (roots: readonly UiNode[]): Sliced<PlacedNode[]> {
  const nodes: PlacedNode[] = []
  const open: { entry: PlacedNode; found: FoundNode }[] = []
  for (const found of walk(roots)) {
    if (nodes.length % PIECE === 0) yield
    while (open.length > 0 && open.at(-1)?.found !== found.parent) {
      const closed = open.pop()
      if (closed) closed.entry.end = nodes.length
    }
    const entry = { found, node: found.node, end: 0 }
    nodes.push(entry)
    open.push({ entry, found })
  }
  for (const { entry } of open) entry.end = nodes.length
  return nodes
}

const matchesIn = function* ({ nodes, from, to }: Scope, test: NodeTest): Sliced<number[]> {
  const found: number[] = []
  for (let at = from; at < to; at++) {
    if (at % PIECE === 0) yield
    const entry = nodes[at]
    if (entry && isOnScreen(entry.node) && (yield* test(entry.node))) found.push(at)
  }
  return found
}

const plain = (test: PlainTest): NodeTest =>
  // biome-ignore lint/correctness/useYield: a test that needs no pause
  function* (node) {
    return test(node)
  }

/** The matches that have no other match inside, where a match is a node that passes every test of the selector. */
const deepestOf = ({ nodes }: Scope, found: Positions): number[] =>
  found.filter((at, index) => {
    const next = found[index + 1]
    return next === undefined || next >= (nodes[at]?.end ?? 0)
  })

const textTest = (pattern: string): NodeTest => {
  const matches = flowTextPattern(pattern)
  return function* ({ text, hint, hintText, contentDesc }) {
    const shownHint = hint ?? hintText
    return (
      (yield* matches(text)) ||
      (shownHint !== undefined && (yield* matches(shownHint))) ||
      (yield* matches(contentDesc))
    )
  }
}

const idTest = (pattern: string): NodeTest => {
  const matches = flowPattern(pattern)
  return function* ({ resourceId }) {
    return (yield* matches(resourceId)) || (yield* matches(resourceId.slice(resourceId.lastIndexOf('/') + 1)))
  }
}

const sizeTest = ({ width, height, tolerance = 0 }: FlowSelector): PlainTest => {
  const isNear = (size: number, wanted: number | undefined) =>
    wanted === undefined || Math.abs(size - wanted) <= tolerance
  return ({ bounds }) => isNear(bounds.right - bounds.left, width) && isNear(bounds.bottom - bounds.top, height)
}

const TRAIT_TESTS: Record<(typeof TRAITS)[number], PlainTest> = {
  text: ({ text }) => text !== '',
  'long-text': ({ text }) => text.length > LONG_TEXT_CHARS,
  square: ({ bounds }) => Math.abs(1 - (bounds.right - bounds.left) / (bounds.bottom - bounds.top)) < SQUARE_TOLERANCE,
}

const SIDES = ['below', 'above', 'leftOf', 'rightOf'] as const
type Side = (typeof SIDES)[number]

/** By the upper left corners: what begins lower is below. */
const IS_BESIDE: Record<Side, (bounds: Bounds, other: Bounds) => boolean> = {
  below: (bounds, other) => bounds.top > other.top,
  above: (bounds, other) => bounds.top < other.top,
  leftOf: (bounds, other) => bounds.left < other.left,
  rightOf: (bounds, other) => bounds.left > other.left,
}

const distance = (bounds: Bounds, other: Bounds): number => {
  const [a, b] = [centreOf(bounds), centreOf(other)]
  return Math.hypot(a.x - b.x, a.y - b.y)
}

/** The nearest first, by the centres. */
const beside = function* (scope: Scope, side: Side, others: Positions): Sliced<number[]> {
  const { nodes } = scope
  const near: { at: number; distance: number }[] = []
  const otherBounds = others.flatMap(at => nodes[at]?.node.bounds ?? [])
  let seen = 0
  for (let at = scope.from; at < scope.to; at++) {
    const node = nodes[at]?.node
    if (!node || !isOnScreen(node)) continue
    let nearest = Number.POSITIVE_INFINITY
    for (const bounds of otherBounds) {
      seen += 1
      if (seen % PIECE === 0) yield
      if (IS_BESIDE[side](node.bounds, bounds)) nearest = Math.min(nearest, distance(node.bounds, bounds))
    }
    if (nearest < Number.POSITIVE_INFINITY) near.push({ at, distance: nearest })
  }
  return near.sort((a, b) => a.distance - b.distance).map(({ at }) => at)
}

const withChild = function* (scope: Scope, children: Positions): Sliced<number[]> {
  const wanted = new Set(children.flatMap(at => scope.nodes[at]?.node ?? []))
  return yield* matchesIn(
    scope,
    plain(node => node.children.some(child => wanted.has(child))),
  )
}

const withDescendant = ({ nodes, from, to }: Scope, inner: Positions): number[] => {
  const sorted = [...inner].sort((a, b) => a - b)
  const found: number[] = []
  let next = 0
  for (let at = from; at < to; at++) {
    const entry = nodes[at]
    while (next < sorted.length && (sorted[next] ?? 0) <= at) next += 1
    if (entry && isOnScreen(entry.node) && (sorted[next] ?? entry.end) < entry.end) found.push(at)
  }
  return found
}

const FLAGS = ['enabled', 'selected', 'checked', 'focused'] as const

/** The keys that a node alone answers; the others are about its place among the nodes. */
const testsOf = (selector: FlowSelector): NodeTest[] => {
  const { text, id, css, width, height, traits = [] } = selector
  return [
    ...(text === undefined ? [] : [textTest(text)]),
    ...(id === undefined ? [] : [idTest(id)]),
    ...(css === undefined ? [] : [plain(node => node.css?.includes(css) ?? false)]),
    ...(width === undefined && height === undefined ? [] : [plain(sizeTest(selector))]),
    ...traits.map(trait => plain(TRAIT_TESTS[trait])),
    ...FLAGS.filter(flag => selector[flag] !== undefined).map(flag => plain(node => node[flag] === selector[flag])),
  ]
}

const passingAll = (tests: readonly NodeTest[]): NodeTest =>
  function* (node) {
    for (const test of tests) if (!(yield* test(node))) return false
    return true
  }

/** The nodes of each part of the selector; the order of the first part is that of the result. */
const partsOf = function* (selector: FlowSelector, scope: Scope): Sliced<number[][]> {
  const { containsChild, containsDescendants = [] } = selector
  const parts: number[][] = []
  const tests = testsOf(selector)
  if (tests.length > 0) parts.push(deepestOf(scope, yield* matchesIn(scope, passingAll(tests))))
  for (const side of SIDES) {
    const other = selector[side]
    if (other) parts.push(yield* beside(scope, side, yield* matchesOf(other, scope)))
  }
  if (containsChild) parts.push(yield* withChild(scope, yield* matchesOf(containsChild, scope)))
  for (const inner of containsDescendants) parts.push(withDescendant(scope, yield* matchesOf(inner, scope)))
  return parts
}

const inAll = (parts: readonly Positions[]): number[] => {
  const [first = [], ...others] = parts
  const sets = others.map(each => new Set(each))
  return first.filter(at => sets.every(set => set.has(at)))
}

/** Searches inside the first parent that matches. */
const scopeOf = function* ({ childOf }: FlowSelector, scope: Scope): Sliced<Scope | undefined> {
  if (!childOf) return scope
  const [parent] = yield* matchesOf(childOf, scope)
  return parent === undefined ? undefined : { ...scope, from: parent, to: scope.nodes[parent]?.end ?? parent }
}

const matchesOf = function* (selector: FlowSelector, around: Scope): Sliced<number[]> {
  const scope = yield* scopeOf(selector, around)
  if (!scope) return []
  const { nodes } = scope
  const parts = yield* partsOf(selector, scope)
  const found =
    parts.length === 0
      ? yield* matchesIn(
          scope,
          plain(() => true),
        )
      : inAll(parts)
  const nodeAt = (at: number) => nodes[at]?.node
  if (selector.index === undefined) {
    const rank = (at: number) => (nodeAt(at)?.clickable ? 0 : 1)
    return found.sort((a, b) => rank(a) - rank(b))
  }
  const place = (at: number) => nodeAt(at)?.bounds ?? { top: 0, left: 0 }
  const sorted = found.sort((a, b) => place(a).top - place(b).top || place(a).left - place(b).left)
  const chosen = sorted.at(selector.index)
  return chosen === undefined ? [] : [chosen]
}

/** The one that is meant comes first. */
export const searchingFlow = function* (roots: readonly UiNode[], selector: FlowSelector): Sliced<FoundNode[]> {
  const nodes = yield* placed(roots)
  const found = yield* matchesOf(selector, { nodes, from: 0, to: nodes.length })
  return found.flatMap(at => nodes[at]?.found ?? [])
}
