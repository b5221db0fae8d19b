import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bounds, type FoundNode, type Point, type UiNode, walk } from '../../../src/contracts/device/ui-tree.ts'
import { withAncestors } from '../../../src/device/screen/match.ts'
import { type Cover, findTapPoint } from '../../../src/device/screen/tap-point.ts'
import { box, node } from '../../support/device/fake-ui-driver.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const FIELD = 'android.widget.EditText'
const BUTTON = 'android.widget.Button'
const only = (one: UiNode): FoundNode => ({ node: one, parent: undefined })
const all = (root: UiNode) => [...walk([root])]
const holds = ({ left, top, right, bottom }: Bounds, { x, y }: Point) =>
  x >= left && x < right && y >= top && y < bottom

describe('inside one node', () => {
  test.each([
    ['the centre', [], { x: 50, y: 50 }],
    ['the centre over what takes no touches', [node({ at: [0, 0, 100, 100] })], { x: 50, y: 50 }],
    ['beside what does', [node({ clickable: true, at: [40, 0, 100, 100] })], { x: 20, y: 50 }],
    ['above what does', [node({ clickable: true, at: [0, 20, 100, 100] })], { x: 50, y: 10 }],
    ['beside a text field', [node({ focusable: true, className: FIELD, at: [40, 0, 100, 100] })], { x: 20, y: 50 }],
    [
      'the centre over what can have the focus alone',
      [node({ focusable: true, at: [40, 0, 100, 100] })],
      { x: 50, y: 50 },
    ],
    [
      'above two of them, whichever comes first',
      [node({ clickable: true, at: [0, 70, 100, 100] }), node({ clickable: true, at: [0, 30, 100, 60] })],
      { x: 50, y: 15 },
    ],
    [
      'in the gap between two of them, however narrow',
      [node({ clickable: true, at: [0, 0, 100, 28] }), node({ clickable: true, at: [0, 30, 100, 100] })],
      { x: 50, y: 29 },
    ],
    ['the centre when there is no other place', [node({ clickable: true, at: [0, 0, 100, 100] })], { x: 50, y: 50 }],
  ] as const)('%s', (_name, children, point) => {
    const one = node({ children, clickable: true, at: [0, 0, 100, 100] })
    expect(findTapPoint(only(one), one)).toEqual({ point })
  })
})

describe('a label in a row', () => {
  const label = node({ text: 'Display', at: [20, 10, 200, 40] })
  const rowOf = (...others: UiNode[]) => node({ clickable: true, at: [0, 0, 1_000, 900], children: [label, ...others] })
  const aimAt = (root: UiNode, wanted: UiNode, receiver = root, covers: Cover[] = []) => {
    const found = all(root).find(one => one.node === wanted)
    if (!found) throw new Error('the node is not in the tree')
    return findTapPoint(found, receiver, covers)
  }

  test('is touched on the label, not in the middle of the row', () => {
    expect(aimAt(rowOf(), label)).toEqual({ point: { x: 110, y: 25 } })
  })

  test('is touched beside what lies over it', () => {
    const button = node({ text: 'Edit', clickable: true, at: [100, 0, 300, 100] })
    expect(aimAt(rowOf(button), label)).toEqual({ point: { x: 60, y: 25 } })
  })

  test('is not touched where something else takes all touches', () => {
    const banner = node({ text: 'New!', className: BUTTON, clickable: true, at: [0, 0, 1_000, 100] })
    expect(aimAt(rowOf(banner), label)).toMatchObject({ coveredBy: { kind: 'node', name: '"New!"' } })
  })

  test('is touched where only a container might take the touches, and nothing tells if it is over the label', () => {
    const pane = (drawingOrder: number) => node({ clickable: true, at: [0, 0, 1_000, 100], drawingOrder })
    const told = node({ ...label, drawingOrder: 1 })
    const row = (over: UiNode, under = label) => node({ at: [0, 0, 1_000, 900], children: [under, over] })
    const point = { x: 110, y: 25 }
    expect(aimAt(row(pane(0)), label)).toEqual({ point, isUnsure: true })
    expect(aimAt(row(pane(2)), label)).toEqual({ point, isUnsure: true })
    expect(aimAt(row(pane(2), told), told)).toMatchObject({ coveredBy: { kind: 'node' } })
    const above = node({ ...label, drawingOrder: 3 })
    expect(aimAt(row(pane(2), above), above)).toEqual({ point })
  })

  test('is touched beside a container that takes touches on a part of it', () => {
    const part = node({ clickable: true, at: [100, 0, 300, 100] })
    expect(aimAt(node({ at: [0, 0, 1_000, 900], children: [label, part] }), label)).toEqual({ point: { x: 60, y: 25 } })
  })

  test('is touched where something lies that takes no touches, and the caller is told', () => {
    const veil = (drawingOrder: number) => node({ at: [100, 0, 300, 100], drawingOrder })
    const told = node({ ...label, drawingOrder: 1 })
    const row = (over: UiNode, under = label) => node({ at: [0, 0, 1_000, 900], children: [under, over] })
    const point = { x: 110, y: 25 }
    expect(aimAt(row(veil(0)), label, label)).toEqual({ point, isUnsure: true })
    expect(aimAt(row(veil(2), told), told, told)).toEqual({ point })
    expect(aimAt(rowOf(veil(0)), label)).toEqual({ point })
    const beside = node({ at: [120, 0, 300, 100] })
    expect(aimAt(row(beside), label, label)).toEqual({ point })
  })

  test('is not touched under a dialog of the same window, whatever takes touches in it', () => {
    const panel = node({ resourceId: 'android:id/parentPanel', at: [0, 0, 1_000, 100] })
    expect(aimAt(node({ at: [0, 0, 1_000, 900], children: [label, panel] }), label)).toMatchObject({
      coveredBy: { name: 'android:id/parentPanel' },
    })
  })

  test('is not touched under the keyboard', () => {
    const keyboard: Cover = { kind: 'keyboard', name: 'the keyboard', bounds: box([0, 0, 1_000, 30]) }
    expect(aimAt(rowOf(), label, undefined, [keyboard])).toEqual({ point: { x: 110, y: 35 } })
    const taller = { ...keyboard, bounds: box([0, 0, 1_000, 60]) }
    expect(aimAt(rowOf(), label, undefined, [taller])).toMatchObject({ coveredBy: { name: 'the keyboard' } })
  })

  test('is touched on the part that its receiver and the screen show', () => {
    const wide = node({ text: 'wide', at: [-100, 800, 600, 1_200] })
    const root = node({ clickable: true, at: [0, 0, 400, 1_000], children: [wide] })
    expect(aimAt(root, wide)).toEqual({ point: { x: 200, y: 900 } })
  })

  test('that lies off the screen has no point', () => {
    const away = node({ text: 'away', at: [-100, -100, -10, -10] })
    expect(aimAt(node({ at: [0, 0, 400, 1_000], children: [away] }), away, away)).toEqual({})
  })
})

const coordinate = fc.integer({ min: 0, max: 200 })
const bounds = fc
  .tuple(coordinate, coordinate, fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 120 }))
  .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height }))
const look = {
  bounds,
  clickable: fc.boolean(),
  longClickable: fc.boolean(),
  scrollable: fc.boolean(),
  drawingOrder: fc.integer({ min: 0, max: 4 }),
}
const treeOf = (levels: number): fc.Arbitrary<UiNode> =>
  fc
    .record({ ...look, children: levels === 0 ? fc.constant([]) : fc.array(treeOf(levels - 1), { maxLength: 4 }) })
    .map(given => node(given))
const someTree = treeOf(3)

const takes = (one: UiNode) => one.clickable || one.longClickable

/** A painter's own list, from the first drawn to the last: siblings change places with each other until each is right. */
const painted = (one: UiNode): UiNode[] => {
  const order = (child: UiNode | undefined) => child?.drawingOrder ?? 0
  const known = one.children.flatMap((child, at) => (order(child) > 0 ? [at] : []))
  const children = [...one.children]
  for (const _ of known) {
    for (const [index, at] of known.entries()) {
      const next = known[index + 1] ?? at
      const [first, second] = [children[at], children[next]]
      if (first && second && order(first) > order(second)) [children[at], children[next]] = [second, first]
    }
  }
  return [one, ...children.flatMap(painted)]
}

const chainOf = (root: UiNode, target: UiNode): UiNode[] =>
  [...withAncestors(all(root).find(({ node: one }) => one === target) as FoundNode)].map(found => found.node).reverse()

/** Both have a place in the order of drawing where the ways to them part. */
const isTold = (root: UiNode, target: UiNode, rival: UiNode): boolean => {
  const [to, from] = [chainOf(root, target), chainOf(root, rival)]
  const at = to.findIndex((one, index) => one !== from[index])
  const [mine, other] = [to[at]?.drawingOrder ?? 0, from[at]?.drawingOrder ?? 0]
  return mine > 0 && other > 0 && mine !== other
}

const isAround = (outer: Bounds, inner: Bounds) =>
  outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom

/** Those that would have a touch instead of the node: they are drawn after it, not in it, and known to lie over it. */
const rivalsOf = (root: UiNode, target: UiNode): UiNode[] => {
  const own = painted(target)
  const order = painted(root)
  return order
    .slice(order.indexOf(target))
    .filter(one => !own.includes(one) && takes(one))
    .filter(one => isTold(root, target, one) || !isAround(one.bounds, target.bounds))
}

const receiverOf = (found: FoundNode) =>
  [...withAncestors(found)].find(around => around.node.clickable)?.node ?? found.node

test('the point is on the node, and nothing that is drawn later and takes touches is there', () => {
  fc.assert(
    fc.property(someTree, fc.nat(), fc.array(bounds, { maxLength: 3 }), (root, seed, windows) => {
      const nodes = all(root)
      const found = nodes[seed % nodes.length] as FoundNode
      const covers = windows.map((over): Cover => ({ kind: 'window', name: 'a window', bounds: over }))
      const { point } = findTapPoint(found, receiverOf(found), covers)
      if (!point) return
      const over = [...rivalsOf(root, found.node).map(one => one.bounds), ...windows]
      expect(holds(found.node.bounds, point)).toBe(true)
      expect(over.filter(one => holds(one, point))).toEqual([])
    }),
    { numRuns: propertyRuns(500) },
  )
})

/** On a small screen, with no node beyond the one around it. */
const small = (levels: number): fc.Arbitrary<UiNode> =>
  fc
    .record({
      ...look,
      bounds: fc
        .tuple(fc.nat(8), fc.nat(8), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
        .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height })),
      children: levels === 0 ? fc.constant([]) : fc.array(small(levels - 1), { maxLength: 4 }),
    })
    .map(given => node(given))

const clipped = (one: UiNode, within: Bounds): UiNode => {
  const clip = {
    left: Math.max(one.bounds.left, within.left),
    top: Math.max(one.bounds.top, within.top),
    right: Math.min(one.bounds.right, within.right),
    bottom: Math.min(one.bounds.bottom, within.bottom),
  }
  const isShown = clip.right > clip.left && clip.bottom > clip.top
  const children = one.children.map(child => clipped(child, clip)).filter(child => child.text !== 'hidden')
  return { ...one, text: isShown ? '' : 'hidden', bounds: clip, children }
}

test('a node is touched wherever nobody drawn later takes the touch, and refused only when there is no such place', () => {
  fc.assert(
    fc.property(small(3), fc.nat(), (given, seed) => {
      const root = clipped(given, box([0, 0, 20, 20]))
      const nodes = all(root)
      const found = nodes[seed % nodes.length] as FoundNode
      const { left, top, right, bottom } = found.node.bounds
      const rivals = rivalsOf(root, found.node)
      const places = Array.from({ length: 400 }, (_, index) => ({ x: index % 20, y: Math.floor(index / 20) })).filter(
        ({ x, y }) => x >= left && x < right && y >= top && y < bottom,
      )
      const isTaken = places.every(place => rivals.some(one => holds(one.bounds, place)))
      expect(findTapPoint(found, receiverOf(found)).point === undefined).toBe(isTaken)
    }),
    { numRuns: propertyRuns(500) },
  )
})

test('a node is given up only when every place on it is taken', () => {
  fc.assert(
    fc.property(fc.array(bounds, { maxLength: 6 }), over => {
      const label = node({ at: [40, 40, 60, 60] })
      const later = over.map(one => node({ bounds: one, className: BUTTON, clickable: true }))
      const root = node({ at: [0, 0, 400, 400], children: [label, ...later] })
      const found = all(root).find(one => one.node === label) as FoundNode
      const places = Array.from({ length: 400 }, (_, index) => ({
        x: 40 + (index % 20),
        y: 40 + Math.floor(index / 20),
      }))
      const isTaken = places.every(place => over.some(one => holds(one, place)))
      expect(findTapPoint(found, label).point === undefined).toBe(isTaken)
    }),
  )
})
