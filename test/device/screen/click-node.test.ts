import { describe, expect, test } from 'vitest'
import type { Cover } from '../../../src/device/screen/tap-point.ts'
import { box, node, screen, scrollingList } from '../../support/device/fake-ui-driver.ts'
import { act } from './act.ts'

const KEYBOARD: Cover = { kind: 'keyboard', name: 'the keyboard', bounds: box([0, 400, 400, 800]) }
const BAR: Cover = { kind: 'window', name: 'the navigation bar', bounds: box([0, 700, 400, 800]) }
const save = () => screen(node({ at: [0, 0, 400, 800], children: [node({ text: 'Save', at: [0, 600, 400, 650] })] }))
const click = { type: 'click', params: { matcher: { textEquals: 'Save' } } } as const

describe('an operator that touches the screen', () => {
  test('touches a label that nothing clickable is around', async () => {
    const { driver } = await act(click, { ui: { tree: save, covers: () => [] } })
    expect(driver.deeds()).toEqual([['click', 'Save', 'default', { x: 200, y: 625 }]])
  })

  test('hides the keyboard first', async () => {
    const shown = [KEYBOARD]
    const { driver, data } = await act(click, {
      ui: { tree: save, covers: () => shown, onKey: () => void shown.pop() },
    })
    expect(data).toEqual({ click_type: 'default' })
    expect(driver.deeds().map(([deed]) => deed)).toEqual(['pressKey', 'click'])
  })

  test('gives up when the keyboard stays', async () => {
    const { driver, data } = await act(click, { ui: { tree: save, covers: () => [KEYBOARD] } })
    expect(data).toEqual({
      error: 'NODE_NOT_CLICKABLE',
      message: 'the node that matches textEquals=Save is covered by the keyboard',
    })
    expect(driver.deeds().filter(([deed]) => deed === 'click')).toEqual([])
    // A second Back would leave the screen.
    expect(driver.deeds().filter(([deed]) => deed === 'pressKey')).toHaveLength(1)
  })

  test('scrolls a row free', async () => {
    const list = scrollingList(['a', 'b', 'c', 'd', 'Save', 'f', 'g', 'h'])
    const banner = { kind: 'window', name: 'a banner', bounds: box([0, 390, 400, 800]) } as const
    const { driver, data } = await act(click, {
      ui: { tree: list.tree, onSwipe: list.swipe, covers: () => [banner] },
    })
    expect(data).toEqual({ click_type: 'default' })
    const [first, last] = [driver.deeds().at(0), driver.deeds().at(-1)]
    expect(first?.[0]).toBe('swipe')
    const point = last?.[3] as { y: number } | undefined
    expect(point?.y).toBeLessThan(390)
  })

  test('names what covers a node that cannot be freed', async () => {
    const tree = () =>
      screen(node({ at: [0, 0, 400, 800], children: [node({ text: 'Save', at: [0, 720, 400, 780] })] }))
    const { data } = await act(click, { ui: { tree, covers: () => [BAR] } })
    expect(data).toMatchObject({ message: expect.stringContaining('is covered by the navigation bar') })
  })

  test('hides the keyboard to reach a field, and types where it was touched', async () => {
    const shown = [KEYBOARD]
    const field = node({
      resourceId: 'mail',
      className: 'android.widget.EditText',
      focusable: true,
      at: [0, 500, 400, 560],
    })
    const { driver } = await act(
      { type: 'enter_text', params: { matcher: { resourceId: 'mail' }, text: 'x' } },
      {
        ui: {
          tree: () => screen(node({ at: [0, 0, 400, 800], children: [field] })),
          covers: () => shown,
          onKey: () => void shown.pop(),
        },
      },
    )
    expect(driver.deeds()).toEqual([
      ['pressKey', 'back'],
      ['enterText', 'mail', 'x', { append: false, submit: false, point: { x: 200, y: 530 } }],
    ])
  })
})

test('an operator that clicks nodes reaches what is covered', async () => {
  const tree = () =>
    screen(
      node({
        children: [node({ text: 'Save', clickable: true }), node({ text: 'over', clickable: true })],
      }),
    )
  const { driver } = await act(click, { ui: { tree } })
  expect(driver.deeds()).toEqual([['click', 'Save', 'default']])
})

describe('something of which nothing tells if it is over the node', () => {
  const veiled = () =>
    screen(
      node({
        at: [0, 0, 400, 800],
        children: [node({ text: 'Save', clickable: true, at: [0, 600, 400, 650] }), node({ at: [0, 0, 400, 800] })],
      }),
    )
  const matcher = { textEquals: 'Save' }

  test.each([
    [click, { click_type: 'default', covered_by_unknown: 'true' }],
    [
      { type: 'scroll_and_click', params: { matcher } },
      { scrolls_executed: '0', covered_by_unknown: 'true' },
    ],
  ] as const)('is told with the step: %j', async (action, data) => {
    expect((await act(action, { ui: { tree: veiled, covers: () => [] } })).data).toMatchObject(data)
  })

  test('is not where the operator clicks the node itself', async () => {
    expect((await act(click, { ui: { tree: veiled } })).data).toEqual({ click_type: 'default' })
  })
})
