/** The texts of a tree, packed by their places, so that a search for the nearest one reads few of them. */

import { isOnScreen, readingOf, type UiNode } from '../../../contracts/device/ui-tree.ts'
import { PIECE, type Sliced } from '../../../runtime/yielding.ts'

/** A node by its position depth first: what is inside it has the positions from `at + 1` to below `end`. */
export interface Span {
  node: UiNode
  parent: Span | undefined
  at: number
  end: number
  /** The nearest node that takes clicks or scrolls, itself included, by its position; -1 where there is none. */
  row: number
}

/** The bounds around several texts, to skip them together. `sum` is left and right added. */
export interface TextBox {
  left: number
  right: number
  top: number
  bottom: number
  lowestTop: number
  leastSum: number
  mostSum: number
  firstAt: number
  lastAt: number
  leastRow: number
  texts: readonly Span[]
  boxes: readonly TextBox[]
}

export interface TextIndex {
  spans: ReadonlyMap<UiNode, Span>
  /** Depth first. */
  texts: readonly Span[]
  byLabel: ReadonlyMap<string, readonly Span[]>
  /** Undefined without texts. */
  box: TextBox | undefined
}

const PER_BOX = 16

const isText = (node: UiNode) => isOnScreen(node) && readingOf(node) !== ''

const leafOf = (texts: readonly Span[]): TextBox => {
  const box: TextBox = {
    ...{ left: Number.POSITIVE_INFINITY, right: Number.NEGATIVE_INFINITY },
    ...{ top: Number.POSITIVE_INFINITY, bottom: Number.NEGATIVE_INFINITY, lowestTop: Number.NEGATIVE_INFINITY },
    ...{ leastSum: Number.POSITIVE_INFINITY, mostSum: Number.NEGATIVE_INFINITY },
    ...{ firstAt: Number.POSITIVE_INFINITY, lastAt: Number.NEGATIVE_INFINITY, leastRow: Number.POSITIVE_INFINITY },
    texts,
    boxes: [],
  }
  for (const { node, at, row } of texts) {
    const { left, right, top, bottom } = node.bounds
    box.left = Math.min(box.left, left)
    box.right = Math.max(box.right, right)
    box.top = Math.min(box.top, top)
    box.bottom = Math.max(box.bottom, bottom)
    box.lowestTop = Math.max(box.lowestTop, top)
    box.leastSum = Math.min(box.leastSum, left + right)
    box.mostSum = Math.max(box.mostSum, left + right)
    box.firstAt = Math.min(box.firstAt, at)
    box.lastAt = Math.max(box.lastAt, at)
    box.leastRow = Math.min(box.leastRow, row)
  }
  return box
}

const least = (boxes: readonly TextBox[], read: (box: TextBox) => number) => Math.min(...boxes.map(read))
const most = (boxes: readonly TextBox[], read: (box: TextBox) => number) => Math.max(...boxes.map(read))

const around = (boxes: readonly TextBox[]): TextBox => ({
  left: least(boxes, box => box.left),
  right: most(boxes, box => box.right),
  top: least(boxes, box => box.top),
  bottom: most(boxes, box => box.bottom),
  lowestTop: most(boxes, box => box.lowestTop),
  leastSum: least(boxes, box => box.leastSum),
  mostSum: most(boxes, box => box.mostSum),
  firstAt: least(boxes, box => box.firstAt),
  lastAt: most(boxes, box => box.lastAt),
  leastRow: least(boxes, box => box.leastRow),
  texts: [],
  boxes,
})

const partsOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

/** In horizontal strips from the top, each from the left. */
const packed = function* (texts: readonly Span[]): Sliced<TextBox | undefined> {
  const strip = PER_BOX * Math.ceil(Math.sqrt(texts.length / PER_BOX))
  const byTop = [...texts].sort((a, b) => a.node.bounds.top - b.node.bounds.top)
  let boxes: TextBox[] = []
  for (const part of partsOf(byTop, strip)) {
    yield
    part.sort((a, b) => a.node.bounds.left - b.node.bounds.left)
    boxes.push(...partsOf(part, PER_BOX).map(leafOf))
  }
  while (boxes.length > 1) {
    yield
    boxes = partsOf(boxes, PER_BOX).map(around)
  }
  return boxes[0]
}

type Job = { node: UiNode; parent: Span | undefined } | { ending: Span }

export const indexTexts = function* (roots: readonly UiNode[]): Sliced<TextIndex> {
  const spans = new Map<UiNode, Span>()
  const texts: Span[] = []
  const byLabel = new Map<string, Span[]>()
  const jobs: Job[] = roots.map(node => ({ node, parent: undefined })).reverse()
  for (let job = jobs.pop(); job; job = jobs.pop()) {
    if ('ending' in job) {
      job.ending.end = spans.size
      continue
    }
    const { node, parent } = job
    const at = spans.size
    if (at % PIECE === 0) yield
    const row = node.clickable || node.scrollable ? at : (parent?.row ?? -1)
    const span: Span = { node, parent, at, end: at + 1, row }
    spans.set(node, span)
    if (isText(node)) {
      texts.push(span)
      const label = readingOf(node)
      const alike = byLabel.get(label)
      if (alike) alike.push(span)
      else byLabel.set(label, [span])
    }
    jobs.push({ ending: span })
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index]
      if (child) jobs.push({ node: child, parent: span })
    }
  }
  return { spans, texts, byLabel, box: yield* packed(texts) }
}

/** The first of the spans, which are in their order, that is inside this one. */
export const firstInside = (spans: readonly Span[], { at, end }: Span): Span | undefined => {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  const found = spans[low]
  return found && found.at < end ? found : undefined
}
