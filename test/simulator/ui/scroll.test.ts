import { describe, expect, test } from 'vitest'
import type { Bounds, UiNode } from '../../../src/contracts/device/ui-tree.ts'
import { appOf, middleOf, nodeIn, nodesOf, tap, textsOf, uiOf } from '../../support/simulator/simulated-ui.ts'

const ROW_DP = 100
const rows = Array.from({ length: 40 }, (_, i) => ({ text: `row ${i}`, height: ROW_DP }))

const listOf = (more: object = {}) =>
  uiOf(
    appOf({
      main: {
        nodes: [
          { text: 'title', height: 50 },
          { scrollable: true, resourceId: 'list', nodes: rows, ...more },
          { text: 'footer', height: 50, id: 'footer' },
        ],
      },
    }),
  )

const list = (ui: ReturnType<typeof uiOf>) => nodeIn(ui.tree(), 'list')
const drag = (ui: ReturnType<typeof uiOf>, pixels: number) => {
  const { x, y } = middleOf(list(ui))
  ui.swipe({ x, y }, { x, y: y - pixels }, 300)
}
const isWithin = (inner: Bounds, outer: Bounds) =>
  inner.left >= outer.left && inner.top >= outer.top && inner.right <= outer.right && inner.bottom <= outer.bottom

const everyChild = (node: UiNode): boolean =>
  node.children.every(child => isWithin(child.bounds, node.bounds) && everyChild(child))

describe('a list longer than the screen', () => {
  test('holds only the nodes that are seen, cut off at its edges', () => {
    const ui = listOf()
    drag(ui, 150)
    const tree = ui.tree()
    const { bounds, children } = list(ui)
    expect(children.length).toBeLessThan(rows.length)
    expect(children[0]?.bounds.top).toBe(bounds.top)
    expect(children.at(-1)?.bounds.bottom).toBe(bounds.bottom)
    expect(children.every(({ bounds: { top, bottom } }) => top < bottom)).toBe(true)
    expect(tree.roots.every(everyChild)).toBe(true)
  })

  test('moves as far as the finger, without momentum', () => {
    const ui = listOf()
    const before = nodeIn(ui.tree(), 'row 3').bounds
    drag(ui, 200)
    const after = nodeIn(ui.tree(), 'row 3').bounds
    expect(before.top - after.top).toBe(200)
    expect(before.bottom - after.bottom).toBe(200)
  })

  test('stops at its ends', () => {
    const ui = listOf()
    drag(ui, -300)
    expect(nodeIn(ui.tree(), 'row 0').bounds.top).toBe(list(ui).bounds.top)
    for (let i = 0; i < 50; i += 1) drag(ui, 600)
    const last = nodeIn(ui.tree(), 'row 39').bounds
    expect(last.bottom).toBe(list(ui).bounds.bottom)
    drag(ui, 600)
    expect(nodeIn(ui.tree(), 'row 39').bounds).toEqual(last)
  })

  test('leaves what is around it where it is', () => {
    const ui = listOf()
    const around = () => ['title', 'footer'].map(text => nodeIn(ui.tree(), text).bounds)
    const before = around()
    drag(ui, 500)
    expect(around()).toEqual(before)
    const { x, y } = middleOf(nodeIn(ui.tree(), 'title'))
    const texts = textsOf(ui.tree())
    ui.swipe({ x, y }, { x, y: y + 400 }, 300)
    expect(textsOf(ui.tree())).toEqual(texts)
  })

  test('does not move sideways', () => {
    const ui = listOf()
    const texts = textsOf(ui.tree())
    const { x, y } = middleOf(list(ui))
    ui.swipe({ x: x + 200, y }, { x: x - 200, y: y - 20 }, 300)
    expect(textsOf(ui.tree())).toEqual(texts)
  })

  test('takes the tap of the row that is seen under the finger, also of a part of one', () => {
    const tapped = rows.map((row, i) => ({ ...row, onTap: { set: { footer: { text: `tapped ${i}` } } } }))
    const ui = listOf({ nodes: tapped })
    drag(ui, 150)
    const { left, top } = list(ui).bounds
    ui.tap({ x: left + 5, y: top + 5 })
    expect(textsOf(ui.tree())).toContain(`tapped ${Math.floor(150 / ((ROW_DP * 420) / 160))}`)
  })

  test('keeps its place while another screen is in front, and begins anew when opened again', () => {
    const ui = uiOf(
      appOf({
        main: {
          nodes: [
            { text: 'next', onTap: { goTo: 'other' } },
            { scrollable: true, resourceId: 'list', nodes: rows },
          ],
        },
        other: { nodes: [{ text: 'other' }] },
      }),
    )
    drag(ui, 700)
    const texts = textsOf(ui.tree())
    tap(ui, 'next')
    ui.key('BACK')
    expect(textsOf(ui.tree())).toEqual(texts)
    ui.launch('com.example')
    expect(textsOf(ui.tree())).toContain('row 0')
  })

  test('says when it has come to an end', () => {
    const ends = [
      { when: 'end', set: { footer: { text: 'the end' } } },
      { when: 'start', set: { footer: { text: 'the start' } } },
    ]
    const ui = listOf({ onScroll: ends })
    drag(ui, 100)
    expect(textsOf(ui.tree())).toContain('footer')
    for (let i = 0; i < 20; i += 1) drag(ui, 700)
    expect(textsOf(ui.tree())).toContain('the end')
    for (let i = 0; i < 20; i += 1) drag(ui, -700)
    expect(textsOf(ui.tree())).toContain('the start')
  })

  test('that shrinks shows its new end', () => {
    const ui = listOf({
      nodes: [...rows, { text: 'shrink', id: 'shrink', height: 60, onTap: { set: { shrink: { hidden: true } } } }],
    })
    for (let i = 0; i < 20; i += 1) drag(ui, 700)
    tap(ui, 'shrink')
    expect(nodeIn(ui.tree(), 'row 39').bounds.bottom).toBe(list(ui).bounds.bottom)
  })
})

test('a list sideways scrolls sideways', () => {
  const pages = Array.from({ length: 10 }, (_, i) => ({ text: `page ${i}`, width: 200 }))
  const ui = uiOf(appOf({ main: { nodes: [{ scrollable: true, layout: 'row', resourceId: 'pager', nodes: pages }] } }))
  const before = nodeIn(ui.tree(), 'page 1').bounds
  const { x, y } = middleOf(nodeIn(ui.tree(), 'pager'))
  ui.swipe({ x, y }, { x: x - 300, y }, 300)
  expect(before.left - nodeIn(ui.tree(), 'page 1').bounds.left).toBe(300)
  for (let i = 0; i < 20; i += 1) ui.swipe({ x, y }, { x: x - 400, y }, 300)
  expect(nodeIn(ui.tree(), 'page 9').bounds.right).toBe(1_080)
})

test('of two lists inside each other the inner one moves', () => {
  const inner = { scrollable: true, height: 300, resourceId: 'inner', nodes: rows }
  const ui = uiOf(appOf({ main: { nodes: [{ scrollable: true, resourceId: 'outer', nodes: [inner, ...rows] }] } }))
  const { x, y } = middleOf(nodeIn(ui.tree(), 'inner'))
  ui.swipe({ x, y }, { x, y: y - 100 }, 300)
  expect(nodeIn(ui.tree(), 'inner').bounds.top).toBe(nodeIn(ui.tree(), 'outer').bounds.top)
  expect(nodeIn(ui.tree(), 'inner').children[0]?.bounds.bottom).toBeLessThan(y)
  expect(nodesOf(ui.tree()).filter(node => node.scrollable)).toHaveLength(2)
})
