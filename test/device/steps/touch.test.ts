/** Points of nodes and of the screen, long presses, clicks in a row, and erasing. */
import { describe, expect, test } from 'vitest'
import { node, screen } from '../../support/device/fake-ui-driver.ts'
import { act } from '../screen/act.ts'

const button = node({ text: 'Buy', clickable: true, at: [100, 200, 300, 300] })
const cover = node({ text: 'Banner', clickable: true, className: 'android.widget.Button', at: [100, 200, 300, 240] })
const tree = () => screen(node({ at: [0, 0, 400, 800], children: [button] }))
const covered = () => screen(node({ at: [0, 0, 400, 800], children: [button, cover] }))
const matcher = { flow: { text: 'buy' } }
const touching = { tree, covers: () => [] }

describe('click at a point', () => {
  test.each([
    ['of the node, in percent', { matcher, point: { x: 50, y: 10, unit: 'percent' } }, { x: 200, y: 210 }],
    ['of the node, at its last pixel', { matcher, point: { x: 100, y: 100, unit: 'percent' } }, { x: 299, y: 299 }],
    ['of the node, in pixels', { matcher, point: { x: 7, y: 99, unit: 'pixel' } }, { x: 107, y: 299 }],
    ['of the screen', { point: { x: 25, y: 100, unit: 'percent' } }, { x: 100, y: 799 }],
  ] as const)('%s', async (_name, params, at) => {
    const { error, driver } = await act({ type: 'click', params }, { ui: touching })
    expect(error).toBeNull()
    expect(driver.deeds()).toEqual([['tap', at, 'default']])
  })

  test('no other point of the node will do', async () => {
    const params = { matcher, point: { x: 50, y: 10, unit: 'percent' } } as const
    const { data, driver } = await act({ type: 'click', params }, { ui: { tree: covered, covers: () => [] } })
    expect(data).toMatchObject({ error: 'NODE_NOT_CLICKABLE', message: expect.stringContaining('covered by "Banner"') })
    expect(driver.deeds()).toEqual([])
    const free = { matcher, point: { x: 50, y: 90, unit: 'percent' } } as const
    const clicked = await act({ type: 'click', params: free }, { ui: { tree: covered, covers: () => [] } })
    expect(clicked.driver.deeds()).toEqual([['tap', { x: 200, y: 290 }, 'default']])
  })

  test('a point outside of the node is refused', async () => {
    const params = { matcher, point: { x: 200, y: 0, unit: 'pixel' } } as const
    const { data, driver } = await act({ type: 'click', params }, { ui: touching })
    expect(data).toMatchObject({ error: 'NODE_NOT_CLICKABLE', message: expect.stringContaining('has no point 200,0') })
    expect(driver.deeds()).toEqual([])
  })

  test('a driver that cannot see covers touches the point all the same', async () => {
    const params = { matcher, point: { x: 0, y: 0, unit: 'percent' } } as const
    const { driver } = await act({ type: 'click', params }, { ui: { tree } })
    expect(driver.deeds()).toEqual([['tap', { x: 100, y: 200 }, 'default']])
  })

  test('double_tap', async () => {
    const params = { matcher, point: { x: 25, y: 50, unit: 'percent' } } as const
    const { driver } = await act({ type: 'double_tap', params }, { ui: touching })
    expect(driver.deeds()).toEqual([['doubleTap', { x: 150, y: 250 }]])
    const ofScreen = { point: { x: 50, y: 50, unit: 'percent' } } as const
    const other = await act({ type: 'double_tap', params: ofScreen }, { ui: touching })
    expect(other.driver.deeds()).toEqual([['doubleTap', { x: 200, y: 400 }]])
  })
})

describe('how long and how often', () => {
  test('a long click holds for its own time', async () => {
    const params = { matcher, clickType: 'long_click', holdMs: 3_000 } as const
    const { data, driver } = await act({ type: 'click', params }, { ui: touching })
    expect(data).toEqual({ click_type: 'long_click' })
    expect(driver.deeds()).toEqual([['tap', { x: 200, y: 250 }, 'long_click', 3_000]])
  })

  test('clicks in a row look for the node once, and keep their distance', async () => {
    const { driver, elapsedMs } = await act(
      { type: 'click', params: { matcher, repeat: 3, repeatDelayMs: 500 } },
      { ui: touching },
    )
    expect(driver.deeds()).toHaveLength(3)
    expect(driver.calls.filter(([method]) => method === 'tree')).toHaveLength(1)
    expect(elapsedMs).toBe(1_000)
  })

  test('clicks in a row at a point of the screen, 100 ms apart', async () => {
    const { driver, elapsedMs } = await act(
      { type: 'click', params: { coordinate: { x: 1, y: 2 }, repeat: 2 } },
      { ui: touching },
    )
    expect(driver.deeds()).toEqual([
      ['tap', { x: 1, y: 2 }, 'default'],
      ['tap', { x: 1, y: 2 }, 'default'],
    ])
    expect(elapsedMs).toBe(100)
  })

  test('a refused click ends the row', async () => {
    const { data, driver } = await act(
      { type: 'click', params: { matcher, repeat: 3 } },
      { ui: { ...touching, refused: new Set(['tap']) } },
    )
    expect(data).toMatchObject({ error: 'GESTURE_FAILED' })
    expect(driver.deeds()).toHaveLength(1)
  })
})

describe('swipe', () => {
  const swipe = async (params: object) => {
    const acted = await act({ type: 'swipe', params } as Parameters<typeof act>[0] & object, { ui: touching })
    return { ...acted, deeds: acted.driver.deeds() }
  }

  test.each([
    ['up', { x: 200, y: 400 }, { x: 200, y: 80 }],
    ['down', { x: 200, y: 160 }, { x: 200, y: 720 }],
    ['left', { x: 360, y: 400 }, { x: 40, y: 400 }],
    ['right', { x: 40, y: 400 }, { x: 360, y: 400 }],
  ])('%s, across the screen', async (direction, start, end) => {
    const { data, deeds } = await swipe({ direction, durationMs: 400 })
    expect(data).toEqual({ duration_ms: '400' })
    expect(deeds).toEqual([['swipe', start, end, 400]])
  })

  test('between points in percent', async () => {
    const percent = (x: number, y: number) => ({ x, y, unit: 'percent' })
    const { deeds } = await swipe({ start: percent(90, 50), end: { x: 10, y: 20, unit: 'pixel' } })
    expect(deeds).toEqual([['swipe', { x: 360, y: 400 }, { x: 10, y: 20 }, 300]])
  })

  test.each([
    ['the middle of a node', { from: { matcher } }, { x: 200, y: 250 }],
    ['a point of it', { from: { matcher }, point: { x: 0, y: 50, unit: 'percent' } }, { x: 100, y: 250 }],
    ['a place', { from: { coordinate: { x: 30, y: 700 } } }, { x: 30, y: 700 }],
  ])('from %s to the edge', async (_name, params, start) => {
    const { deeds } = await swipe({ direction: 'up', ...params })
    expect(deeds).toEqual([['swipe', start, { x: start.x, y: 80 }, 300]])
  })

  test('a swipe that would go nowhere is no tap', async () => {
    const { data, deeds } = await swipe({ direction: 'up', from: { coordinate: { x: 30, y: 82 } } })
    expect(data).toMatchObject({ error: 'GESTURE_FAILED', message: expect.stringContaining('is a tap') })
    expect(deeds).toEqual([])
  })

  test('a disabled node may be swiped from', async () => {
    const disabled = () => screen(node({ text: 'Row', enabled: false, at: [0, 300, 400, 400] }))
    const { driver } = await act(
      { type: 'swipe', params: { direction: 'left', from: { matcher: { flow: { text: 'Row' } } } } },
      { ui: { tree: disabled, covers: () => [] } },
    )
    expect(driver.deeds()).toEqual([['swipe', { x: 200, y: 350 }, { x: 40, y: 350 }, 300]])
  })
})

test('erase_text presses its key at once, 50 times unless told otherwise', async () => {
  const { data, driver } = await act([{ type: 'erase_text', params: { characters: 3 } }, { type: 'erase_text' }])
  expect(data).toEqual({ characters: '50' })
  expect(driver.deeds()).toEqual([
    ['erase', 3],
    ['erase', 50],
  ])
})

test('read_text with orHint reads what a person sees in a field', async () => {
  const field = (more: object) => screen(node({ resourceId: 'field', className: 'android.widget.EditText', ...more }))
  const read = async (more: object) => {
    const matcher = { flow: { id: 'field' } }
    return (await act({ type: 'read_text', params: { matcher, orHint: true } }, { ui: { tree: () => field(more) } }))
      .data.text
  }
  expect(await read({ text: 'ann', hintText: 'Name', contentDesc: 'Field' })).toBe('ann')
  expect(await read({ text: 'Name', hint: 'Name', contentDesc: 'Field' })).toBe('Name')
  expect(await read({ contentDesc: 'Field' })).toBe('Field')
})
