/** The value that belongs to a label: the text to its right in the same line, else the one right under it. */
import { type FoundNode, isOnScreen, labelOf, walk } from './match.ts'
import type { Bounds, UiNode } from './ui-tree.ts'

/** Two texts are in one line when they share at least this part of the lower one's height. */
const LINE_OVERLAP = 0.5
/** How far under the label its value may begin, in heights of the label. */
const GAP_HEIGHTS = 2

const RIGHT_TO_LEFT = /[\u0591-\u08FF\uFB1D-\uFDFD\uFE70-\uFEFC]/

const overlap = (aStart: number, aEnd: number, bStart: number, bEnd: number) =>
  Math.max(0, Math.min(aEnd, bEnd) - Math.max(aStart, bStart))

const isInLine = (a: Bounds, b: Bounds) =>
  overlap(a.top, a.bottom, b.top, b.bottom) >= LINE_OVERLAP * Math.min(a.bottom - a.top, b.bottom - b.top)

/** How far along the line of reading; undefined when it is not after the label in its line. */
const distanceAfter = (label: Bounds, value: Bounds, isMirrored: boolean): number | undefined => {
  if (!isInLine(label, value)) return undefined
  const way = isMirrored ? -1 : 1
  const shift = (way * (value.left + value.right - label.left - label.right)) / 2
  const reaches = isMirrored ? value.left <= label.left : value.right >= label.right
  return shift > 0 && reaches ? shift : undefined
}

const distanceBelow = (label: Bounds, value: Bounds): number | undefined => {
  const gap = value.top - label.bottom
  const isUnder = overlap(label.left, label.right, value.left, value.right) > 0 && value.top > label.top
  return isUnder && !isInLine(label, value) && gap <= GAP_HEIGHTS * (label.bottom - label.top) ? gap : undefined
}

const nearest = (nodes: readonly UiNode[], distance: (bounds: Bounds) => number | undefined): UiNode | undefined => {
  const measured = nodes.flatMap(node => {
    const far = distance(node.bounds)
    return far === undefined ? [] : [{ node, far }]
  })
  return measured.sort((a, b) => a.far - b.far)[0]?.node
}

const isText = (node: UiNode) => isOnScreen(node) && labelOf(node) !== ''

const textsIn = (node: UiNode): UiNode[] => [...walk([node])].map(found => found.node).filter(isText)

/** Without what belongs to other rows and other lists. */
const looseTextsIn = (node: UiNode): UiNode[] => {
  const texts: UiNode[] = []
  const stack = [node]
  for (let one = stack.pop(); one; one = stack.pop()) {
    if (one.clickable || one.scrollable) continue
    if (isText(one)) texts.push(one)
    stack.push(...one.children)
  }
  return texts
}

const around = (label: FoundNode): UiNode | undefined => {
  const { bounds, clickable } = label.node
  const isMirrored = RIGHT_TO_LEFT.test(labelOf(label.node))
  let inner = label
  for (let outer = label.parent; outer; outer = outer.parent) {
    if (outer.node.scrollable) return undefined
    const from = inner.node
    const others = outer.node.children.filter(child => child !== from)
    const value =
      nearest(others.flatMap(textsIn), other => distanceAfter(bounds, other, isMirrored)) ??
      nearest(others.flatMap(clickable ? looseTextsIn : textsIn), other => distanceBelow(bounds, other))
    if (value) return value
    if (outer.node.clickable) return undefined
    inner = outer
  }
  return undefined
}

/** In a row that is named as a whole: what is beside the text that names it, else the first text there is. */
const within = (row: FoundNode): UiNode | undefined => {
  const texts = [...walk(row.node.children, row)].filter(({ node }) => isText(node))
  const name = texts.find(({ node }) => labelOf(node) === labelOf(row.node))
  return name ? around(name) : texts[0]?.node
}

/**
 * Looks in the nearest node around the label that holds such a text, and no further than its row: a node that can be
 * clicked as a whole, or the content of something that scrolls. A label that is a row by itself may have its value in
 * it or in its line; under it is the next row.
 */
export const valueBeside = (label: FoundNode): UiNode | undefined =>
  (label.node.clickable ? within(label) : undefined) ?? around(label)
