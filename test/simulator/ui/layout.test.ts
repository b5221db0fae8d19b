import { describe, expect, test } from 'vitest'
import { appOf, nodeIn, textsOf, uiOf } from '../../support/simulator/simulated-ui.ts'

const screenOf = (...nodes: object[]) => uiOf(appOf({ main: { nodes: nodes as [] } }))
const PX = 420 / 160

describe('without bounds', () => {
  test('nodes stand under each other, as wide as the screen', () => {
    const ui = screenOf({ text: 'a' }, { text: 'b' })
    const [a, b] = [nodeIn(ui.tree(), 'a').bounds, nodeIn(ui.tree(), 'b').bounds]
    expect([a.left, a.right]).toEqual([0, 1_080])
    expect(b.top).toBe(a.bottom)
    expect(a.bottom - a.top).toBeGreaterThan(16 * PX)
  })

  test('a longer text is higher', () => {
    const ui = screenOf({ text: 'short' }, { text: 'long '.repeat(60).trim() }, { text: 'big', textSize: 48 })
    const heights = ui.tree().roots[0]?.children.map(({ bounds }) => bounds.bottom - bounds.top) ?? []
    expect(heights[1]).toBeGreaterThan(3 * (heights[0] ?? 0))
    expect(heights[2]).toBeGreaterThan(heights[0] ?? 0)
  })

  test('a row shares its width, after what has a width of its own', () => {
    const ui = screenOf({ layout: 'row', nodes: [{ text: 'a' }, { text: 'b', width: 100 }, { text: 'c' }] })
    const widths = ['a', 'b', 'c'].map(text => {
      const { left, right } = nodeIn(ui.tree(), text).bounds
      return right - left
    })
    expect(widths[1]).toBe(Math.round(100 * PX))
    expect(widths[0]).toBe(widths[2])
    expect(nodeIn(ui.tree(), 'b').bounds.left).toBeGreaterThan(nodeIn(ui.tree(), 'a').bounds.right)
  })

  test('a grid has equal columns', () => {
    const cells = Array.from({ length: 5 }, (_, i) => ({ text: `${i}` }))
    const ui = screenOf({ layout: 'grid', columns: 3, nodes: cells })
    const at = (text: string) => nodeIn(ui.tree(), text).bounds
    expect([at('0').left, at('1').left, at('2').left]).toEqual([0, 360, 720])
    expect(at('3').top).toBe(at('0').bottom)
    expect(at('4').left).toBe(360)
  })

  test('what fills takes what is left', () => {
    const ui = screenOf({ text: 'top', height: 100 }, { text: 'middle', fill: true }, { text: 'end', height: 100 })
    expect(nodeIn(ui.tree(), 'end').bounds.bottom).toBe(2_400 - Math.round(24 * PX))
    expect(nodeIn(ui.tree(), 'middle').bounds.top).toBe(nodeIn(ui.tree(), 'top').bounds.bottom)
  })

  test('what has no place on the screen is not there', () => {
    const ui = screenOf(...Array.from({ length: 10 }, (_, i) => ({ text: `${i}`, height: 200 })))
    expect(textsOf(ui.tree())).toEqual(['0', '1', '2', '3', '4'])
    expect(nodeIn(ui.tree(), '4').bounds.bottom).toBe(2_400 - Math.round(24 * PX))
  })
})

test('bounds are taken as they are, and cut off at the screen', () => {
  const ui = screenOf(
    { text: 'a', bounds: [10, 1_000, 20, 1_010] },
    { text: 'b', bounds: [1_000, 1_000, 2_000, 1_010] },
  )
  expect(nodeIn(ui.tree(), 'a').bounds).toEqual({ left: 10, top: 1_000, right: 20, bottom: 1_010 })
  expect(nodeIn(ui.tree(), 'b').bounds).toEqual({ left: 1_000, top: 1_000, right: 1_080, bottom: 1_010 })
})

test('a node with bounds of its own in a list moves with the list', () => {
  const rows = Array.from({ length: 30 }, (_, i) => ({ text: `${i}`, height: 100 }))
  const ui = screenOf({ scrollable: true, nodes: [...rows, { text: 'fixed', bounds: [0, 1_000, 100, 1_100] }] })
  ui.swipe({ x: 500, y: 1_500 }, { x: 500, y: 1_300 }, 300)
  expect(nodeIn(ui.tree(), 'fixed').bounds.top).toBe(800)
})

test('a screen of another size is laid out for that size', () => {
  const ui = uiOf({
    ...appOf({ main: { nodes: [{ text: 'a' }] } }),
    device: { size: { width: 720, height: 1_280, density: 320 } },
  })
  expect(ui.tree().roots[0]?.bounds).toEqual({ left: 0, top: 0, right: 720, bottom: 1_280 })
  expect(nodeIn(ui.tree(), 'a').bounds.right).toBe(720)
})

test('nothing changed, nothing is laid out again', () => {
  const ui = screenOf({ text: 'a' })
  expect(ui.tree()).toBe(ui.tree())
})
