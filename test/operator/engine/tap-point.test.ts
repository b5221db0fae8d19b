import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FoundNode, outwards, walk } from '../../../src/operator/engine/match.ts'
import { aim, type Cover } from '../../../src/operator/engine/tap-point.ts'
import type { Bounds, Point, UiNode } from '../../../src/operator/engine/ui-tree.ts'
import { box, node } from '../../support/fake-ui-driver.ts'

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
    ['the centre when there is no other place', [node({ clickable: true, at: [0, 0, 100, 100] })], { x: 50, y: 50 }],
  ] as const)('%s', (_name, children, point) => {
    const one = node({ children, clickable: true, at: [0, 0, 100, 100] })
    expect(aim(only(one), one)).toEqual({ point })
  })
})

describe('a label in a row', () => {
  const label = node({ text: 'Display', at: [20, 10, 200, 40] })
  const rowOf = (...others: UiNode[]) => node({ clickable: true, at: [0, 0, 1_000, 900], children: [label, ...others] })
  const aimAt = (root: UiNode, wanted: UiNode, receiver = root, covers: Cover[] = []) => {
    const found = all(root).find(one => one.node === wanted)
    if (!found) throw new Error('the node is not in the tree')
    return aim(found, receiver, covers)
  }

  test('is touched on the label, not in the middle of the row', () => {
    expect(aimAt(rowOf(), label)).toEqual({ point: { x: 110, y: 25 } })
  })

  test('is touched beside what lies over it', () => {
    const button = node({ text: 'Edit', clickable: true, at: [100, 0, 300, 100] })
    expect(aimAt(rowOf(button), label)).toEqual({ point: { x: 60, y: 25 } })
  })

  test('is not touched where something else takes all touches', () => {
    const banner = node({ text: 'New!', clickable: true, at: [0, 0, 1_000, 100] })
    expect(aimAt(rowOf(banner), label)).toMatchObject({ coveredBy: { kind: 'node', name: '"New!"' } })
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
const look = { bounds, clickable: fc.boolean(), longClickable: fc.boolean(), scrollable: fc.boolean() }
const treeOf = (levels: number): fc.Arbitrary<UiNode> =>
  fc
    .record({ ...look, children: levels === 0 ? fc.constant([]) : fc.array(treeOf(levels - 1), { maxLength: 4 }) })
    .map(given => node(given))
const someTree = treeOf(3)

test('the point is on the node, and nothing that is drawn later and takes touches is there', () => {
  fc.assert(
    fc.property(someTree, fc.nat(), fc.array(bounds, { maxLength: 3 }), (root, seed, windows) => {
      const nodes = all(root)
      const found = nodes[seed % nodes.length] as FoundNode
      const receiver = [...outwards(found)].find(around => around.node.clickable)?.node ?? found.node
      const covers = windows.map((over): Cover => ({ kind: 'window', name: 'a window', bounds: over }))
      const { point } = aim(found, receiver, covers)
      const own = new Set(all(found.node).map(inner => inner.node))
      const at = nodes.findIndex(one => one.node === found.node)
      const later = nodes.slice(at).filter(one => !own.has(one.node) && (one.node.clickable || one.node.longClickable))
      const over = [...later.map(one => one.node.bounds), ...windows]
      if (!point) return
      expect(holds(found.node.bounds, point)).toBe(true)
      expect(over.filter(one => holds(one, point))).toEqual([])
    }),
    { numRuns: 500 },
  )
})

test('a node is given up only when every place on it is taken', () => {
  fc.assert(
    fc.property(fc.array(bounds, { maxLength: 6 }), over => {
      const label = node({ at: [40, 40, 60, 60] })
      const later = over.map(one => node({ bounds: one, clickable: true }))
      const root = node({ at: [0, 0, 400, 400], children: [label, ...later] })
      const found = all(root).find(one => one.node === label) as FoundNode
      const places = Array.from({ length: 400 }, (_, index) => ({
        x: 40 + (index % 20),
        y: 40 + Math.floor(index / 20),
      }))
      const isTaken = places.every(place => over.some(one => holds(one, place)))
      expect(aim(found, label).point === undefined).toBe(isTaken)
    }),
  )
})
