import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Bounds,
  type FoundNode,
  isOnScreen,
  labelOf,
  type UiNode,
  walk,
} from '../../../src/contracts/device/ui-tree.ts'
import { indexTexts } from '../../../src/device/screen/patterns/text-index.ts'
import { valueBeside } from '../../../src/device/screen/value-beside-label.ts'
import { withoutPauses } from '../../../src/runtime/yielding.ts'
import { node } from '../../support/device/fake-ui-driver.ts'
import { propertyRuns } from '../../support/property-runs.ts'

// The rule in plain words: it compares each label with every text around it.
const LINE_OVERLAP = 0.5
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

const valueByRule = (label: FoundNode): UiNode | undefined =>
  (label.node.clickable ? within(label) : undefined) ?? around(label)

const coordinate = fc.integer({ min: 0, max: 12 })
const bounds = fc
  .tuple(coordinate, coordinate, fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }))
  .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height }))
const often = (value: boolean) => fc.oneof({ weight: 6, arbitrary: fc.constant(!value) }, fc.constant(value))
const look = {
  text: fc.constantFrom('', 'a', 'b', 'ס'),
  bounds,
  clickable: often(true),
  scrollable: often(true),
}
const treeOf = (levels: number): fc.Arbitrary<UiNode> =>
  fc
    .record({ ...look, children: levels === 0 ? fc.constant([]) : fc.array(treeOf(levels - 1), { maxLength: 6 }) })
    .map(given => node(given))

test('the value of every label is the one that the rule names', () => {
  fc.assert(
    fc.property(fc.array(treeOf(4), { minLength: 1, maxLength: 2 }), roots => {
      const index = withoutPauses(indexTexts(roots))
      const labels = [...walk(roots)].filter(label => isOnScreen(label.node))
      const wrong = labels.filter(label => valueBeside(label.node, index) !== valueByRule(label))
      expect(wrong).toEqual([])
    }),
    { numRuns: propertyRuns(300) },
  )
})

type Shape = (count: number) => UiNode[]

const rootOf = (children: UiNode[]) => [node({ at: [0, 0, 1_000, 100_000], children })]
const texts = (count: number, at: (index: number) => [number, number, number, number]) =>
  Array.from({ length: count }, (_, index) => node({ text: `Label ${index}`, at: at(index) }))
const caterpillar: Shape = count => {
  let inner: UiNode[] = []
  for (let index = 0; index < count; index += 2) {
    const at: [number, number, number, number] = [0, 20 * index, 400, 20 * index + 20]
    inner = [node({ text: `Label ${index}`, at }), node({ at: [0, 0, 1_000, 100_000], children: inner })]
  }
  return rootOf(inner)
}

const SHAPES: Record<string, Shape> = {
  'a page of paragraphs': count => rootOf(texts(count, index => [0, 20 * index, 500, 20 * index + 20])),
  'two columns': count =>
    rootOf(texts(count, index => [(index % 2) * 500, 20 * index, (index % 2) * 500 + 500, 20 * index + 30])),
  'one upon the other': count => rootOf(texts(count, () => [0, 0, 1_000, 2_000])),
  'each a little further than the last': count =>
    rootOf(texts(count, index => [index, index, 5_000 + index, 5_000 + index])),
  'spread over a map': count =>
    rootOf(
      texts(count, index => [
        (index * 37) % 900,
        (index * 53) % 1_900,
        ((index * 37) % 900) + 60,
        ((index * 53) % 1_900) + 60,
      ]),
    ),
  'spread over a map, each to be clicked': count =>
    rootOf(
      Array.from({ length: count }, (_, index) => {
        const [left, top] = [(index * 37) % 900, (index * 53) % 1_900]
        return node({ text: `Label ${index}`, clickable: true, at: [left, top, left + 60, top + 60] })
      }),
    ),
  'nested ever deeper': caterpillar,
  'nested in each other': count => {
    const chains = Array.from({ length: 4 }, () => {
      let inner: UiNode[] = []
      for (let index = 0; index < count / 4; index++) {
        inner = [node({ text: `Label ${index}`, at: [index, index, 10_000, 20_000], children: inner })]
      }
      return inner
    })
    return rootOf(chains.flat())
  },
}

/** How often the place of a node was looked at. */
const readsOf = (roots: UiNode[]): number => {
  let reads = 0
  const counting = (one: UiNode): void => {
    const { bounds: place } = one
    Object.defineProperty(one, 'bounds', {
      get: (): Bounds => {
        reads += 1
        return place
      },
    })
  }
  const labels = [...walk(roots)].map(found => found.node)
  labels.forEach(counting)
  const index = withoutPauses(indexTexts(roots))
  for (const label of labels) valueBeside(label, index)
  return reads
}

test.each(Object.entries(SHAPES))(
  'four times as many texts take not much more than four times the work: %s',
  (_name, shape) => {
    const [few, many] = [readsOf(shape(400)), readsOf(shape(1_600))]
    expect(many / few).toBeLessThan(8)
  },
)
