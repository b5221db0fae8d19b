import { describe, expect, test } from 'vitest'
import { node, screen } from '../../support/device/fake-ui-driver.ts'
import { act } from '../screen/act.ts'

const photo = node({ text: 'Photo', clickable: true, at: [0, 0, 100, 60] })
const album = node({ text: 'Album', at: [0, 100, 100, 200] })
const tree = () => screen(node({ at: [0, 0, 400, 800], children: [photo, album] }))
const matcher = { textEquals: 'Photo' }

describe.each([
  ['double_tap', {}, 'doubleTap', []],
  ['pinch', { scale: 2 }, 'pinch', [2, 400]],
] as const)('%s', (type, params, method, more) => {
  const gesture = (place: object) =>
    act({ type, params: { ...params, ...place } } as Parameters<typeof act>[0], { ui: { tree } })

  test('of a node goes to its middle', async () => {
    const { driver, error } = await gesture({ matcher })
    expect(error).toBeNull()
    expect(driver.deeds()).toEqual([[method, { x: 50, y: 30 }, ...more]])
  })

  test('of a point looks at nothing', async () => {
    const { driver } = await gesture({ coordinate: { x: 7, y: 8 } })
    expect(driver.calls).toEqual([[method, { x: 7, y: 8 }, ...more]])
  })

  test('of a node that is not there touches nothing', async () => {
    const { driver, data } = await gesture({ matcher: { textEquals: 'Nowhere' } })
    expect(data).toMatchObject({ error: 'NODE_NOT_FOUND' })
    expect(driver.deeds()).toEqual([])
  })
})

describe('drag', () => {
  test('finds both ends before it moves', async () => {
    const { driver, data } = await act(
      { type: 'drag', params: { from: { matcher }, to: { matcher: { textEquals: 'Album' } }, holdMs: 0 } },
      { ui: { tree } },
    )
    expect(data).toEqual({})
    const times = { holdMs: 0, durationMs: 600 }
    expect(driver.deeds()).toEqual([['drag', { x: 50, y: 30 }, { x: 50, y: 150 }, times]])
  })

  test('without its end moves nothing', async () => {
    const { driver, data } = await act(
      { type: 'drag', params: { from: { matcher }, to: { matcher: { textEquals: 'Bin' } } } },
      { ui: { tree } },
    )
    expect(data).toMatchObject({ error: 'NODE_NOT_FOUND' })
    expect(driver.deeds()).toEqual([])
  })
})

test('an operator app is not asked for any of them', async () => {
  const { data, driver } = await act({ type: 'double_tap', params: { matcher } }, { ui: { tree, hasControls: false } })
  expect(data).toMatchObject({ error: 'EXECUTION_ACTION_UNSUPPORTED' })
  expect(driver.calls).toEqual([])
})
