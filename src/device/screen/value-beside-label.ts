/** The value that belongs to a label: the text to its right in the same line, else the one right under it. */

import { type Bounds, readingOf, type UiNode } from '../../contracts/device/ui-tree.ts'
import { firstInside, type Span, type TextBox, type TextIndex } from './patterns/text-index.ts'

/** Two texts are in one line when they share at least this part of the lower one's height. */
const LINE_OVERLAP = 0.5
/** How far under the label its value may begin, in heights of the label. */
const GAP_HEIGHTS = 2

const RIGHT_TO_LEFT = /[\u0591-\u08FF\uFB1D-\uFDFD\uFE70-\uFEFC]/

const overlap = (aStart: number, aEnd: number, bStart: number, bEnd: number) =>
  Math.max(0, Math.min(aEnd, bEnd) - Math.max(aStart, bStart))

const isInLine = (a: Bounds, b: Bounds) =>
  overlap(a.top, a.bottom, b.top, b.bottom) >= LINE_OVERLAP * Math.min(a.bottom - a.top, b.bottom - b.top)

/** Measures how far a value lies from one label, in one direction. */
interface Direction {
  /** Undefined for a text that is not there. */
  distance(value: Bounds): number | undefined
  /** No text of the box is nearer; undefined when none is there. */
  atLeast(box: TextBox): number | undefined
}

const sumOf = ({ left, right }: Bounds) => left + right

/** Along the line of reading, after the label in its line. */
const after = (label: Bounds): Direction => ({
  distance(value) {
    if (!isInLine(label, value)) return undefined
    const shift = (sumOf(value) - sumOf(label)) / 2
    return shift > 0 && value.right >= label.right ? shift : undefined
  },
  atLeast({ top, bottom, right, leastSum, mostSum }) {
    const isThere = top < label.bottom && bottom > label.top && right >= label.right && mostSum > sumOf(label)
    return isThere ? Math.max(0, (leastSum - sumOf(label)) / 2) : undefined
  },
})

/** The same where people read from right to left. */
const afterMirrored = (label: Bounds): Direction => ({
  distance(value) {
    if (!isInLine(label, value)) return undefined
    const shift = (sumOf(label) - sumOf(value)) / 2
    return shift > 0 && value.left <= label.left ? shift : undefined
  },
  atLeast({ top, bottom, left, leastSum, mostSum }) {
    const isThere = top < label.bottom && bottom > label.top && left <= label.left && leastSum < sumOf(label)
    return isThere ? Math.max(0, (sumOf(label) - mostSum) / 2) : undefined
  },
})

const below = (label: Bounds): Direction => {
  const furthest = GAP_HEIGHTS * (label.bottom - label.top)
  return {
    distance(value) {
      const gap = value.top - label.bottom
      const isUnder = overlap(label.left, label.right, value.left, value.right) > 0 && value.top > label.top
      return isUnder && !isInLine(label, value) && gap <= furthest ? gap : undefined
    },
    atLeast({ left, right, top, bottom, lowestTop }) {
      const isInOneLine = top >= label.top && bottom <= label.bottom
      const isThere = !isInOneLine && left < label.right && right > label.left && lowestTop > label.top
      const gap = Math.max(top, label.top) - label.bottom
      return isThere && gap <= furthest ? gap : undefined
    },
  }
}

interface NearestText {
  text: Span
  /** The position in `outers` of the innermost node that holds both. */
  level: number
  distance: number
}

interface Search {
  label: Span
  /** The nodes around the label that may hold its value, the innermost first. */
  outers: readonly Span[]
  direction: Direction
  /** True when texts that belong to other rows and other lists are left out. */
  isLoose: boolean
}

const holds = ({ at, end }: Span, text: Span) => text.at > at && text.at < end
const reaches = ({ at, end }: Span, { firstAt, lastAt }: TextBox) => lastAt > at && firstAt < end

/** The innermost of the nodes that holds the text; undefined when none does, and for those nodes themselves. */
const levelOf = (text: Span, { label, outers }: Search): number | undefined => {
  if (text === label || holds(label, text)) return undefined
  let [low, high] = [0, outers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const outer = outers[middle]
    if (outer && text.at >= outer.at && text.at < outer.end) high = middle
    else low = middle + 1
  }
  const outer = outers[low]
  return outer && holds(outer, text) ? low : undefined
}

/** The node around the label at this level, if it has more in it than the label and what is around that. */
const outerWithMore = ({ label, outers }: Search, level: number): Span | undefined => {
  const outer = outers[level]
  return outer && outer.end - outer.at > label.end - label.at + level + 1 ? outer : undefined
}

const childHolding = (outer: Span, text: Span): Span => {
  let child = text
  while (child.parent && child.parent !== outer) child = child.parent
  return child
}

/** Breaks a tie of distances: depth first, but a loose search takes the last one first within one child. */
const isEarlier = (a: Span, b: Span, isLoose: boolean, outer: Span | undefined): boolean => {
  const [first, second] = a.at < b.at ? [a, b] : [b, a]
  const isTurned =
    isLoose && outer && !holds(first, second) && childHolding(outer, first) === childHolding(outer, second)
  return (isTurned ? second : first) === a
}

const nearest = (box: TextBox | undefined, search: Search): NearestText | undefined => {
  const { outers, direction, isLoose } = search
  let best: NearestText | undefined
  const offer = (text: Span) => {
    const distance = direction.distance(text.node.bounds)
    const level = distance === undefined ? undefined : levelOf(text, search)
    if (distance === undefined || level === undefined) return
    const outer = outers[level]
    if (isLoose && text.row > (outer?.at ?? -1)) return
    const rank = best ? level - best.level || distance - best.distance : -1
    if (rank < 0 || (rank === 0 && best && isEarlier(text, best.text, isLoose, outer))) best = { text, level, distance }
  }
  const mayHoldBetter = (other: TextBox, distance: number) => {
    const outer = outers[best ? best.level : outers.length - 1]
    if (!outer || !reaches(outer, other)) return false
    if (isLoose && other.leastRow > (outers[0]?.at ?? 0)) return false
    const inner = best && outerWithMore(search, best.level - 1)
    return !best || distance <= best.distance || (inner !== undefined && reaches(inner, other))
  }
  const stack: { box: TextBox; distance: number }[] = box ? [{ box, distance: 0 }] : []
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (!mayHoldBetter(next.box, next.distance)) continue
    next.box.texts.forEach(offer)
    const inside = next.box.boxes.flatMap(each => {
      const distance = direction.atLeast(each)
      return distance === undefined ? [] : [{ box: each, distance }]
    })
    stack.push(...inside.sort((a, b) => b.distance - a.distance))
  }
  return best
}

/** Up to the row that the label is in: a node that can be clicked as a whole, or the content of something that scrolls. */
const outersOf = (label: Span): Span[] => {
  const outers: Span[] = []
  for (let outer = label.parent; outer && !outer.node.scrollable; outer = outer.parent) {
    outers.push(outer)
    if (outer.node.clickable) break
  }
  return outers
}

const around = (label: Span, { box }: TextIndex): UiNode | undefined => {
  const { bounds, clickable } = label.node
  const outers = outersOf(label)
  const inLine = RIGHT_TO_LEFT.test(readingOf(label.node)) ? afterMirrored(bounds) : after(bounds)
  const beside = nearest(box, { label, outers, direction: inLine, isLoose: false })
  // A text in the line counts more than one under the label, but not more than one that is nearer in the tree.
  const nearer = beside ? outers.slice(0, beside.level) : outers
  const under = nearest(box, { label, outers: nearer, direction: below(bounds), isLoose: clickable })
  return (under ?? beside)?.text.node
}

/** In a row that is named as a whole: what is beside the text that names it, else the first text there is. */
const within = (row: Span, index: TextIndex): UiNode | undefined => {
  const name = firstInside(index.byLabel.get(readingOf(row.node)) ?? [], row)
  return name ? around(name, index) : firstInside(index.texts, row)?.node
}

/**
 * Looks in the nearest node around the label that holds such a text, and no further than its row. A label that is a row
 * by itself may have its value in it or in its line; under it is the next row.
 */
export const valueBeside = (label: UiNode, index: TextIndex): UiNode | undefined => {
  const span = index.spans.get(label)
  return span && ((label.clickable ? within(span, index) : undefined) ?? around(span, index))
}
