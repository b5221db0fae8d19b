/** Waits with selectors of flows, the screen that they hand on, and scrolling to targets of flows. */
import { describe, expect, test } from 'vitest'
import { type FakeUi, node, screen, scrollingList } from '../../support/device/fake-ui-driver.ts'
import { act } from '../screen/act.ts'

const matcher = { flow: { text: 'buy' } }
const button = node({ text: 'Buy', clickable: true })
const tree = () => screen(button)
const wait = { type: 'wait_for_node', params: { matcher } } as const
const click = { type: 'click', params: { matcher } } as const
const looks = ({ calls }: { calls: unknown[][] }) => calls.filter(([method]) => method === 'tree').length

describe('a wait', () => {
  test('ends with the first screen that shows the node', async () => {
    const { data, elapsedMs } = await act(wait, {
      uiAt: clock => ({ tree: () => (clock.elapsed() >= 1_000 ? tree() : screen()) }),
    })
    expect(data).toMatchObject({ label: 'Buy' })
    expect(elapsedMs).toBeLessThan(1_500)
  })

  test('names the selector when the time is over', async () => {
    const params = { matcher: { flow: { text: 'Sell', below: { id: 'title' } } }, timeoutMs: 500 }
    const { data } = await act({ type: 'wait_for_node', params }, { ui: { tree } })
    expect(data).toMatchObject({
      error: 'NODE_NOT_FOUND',
      message: 'No UI node found matching criteria text=Sell, below=(id=title) within 500 ms',
    })
  })

  test('for a node to go', async () => {
    const gone = { type: 'wait_for_node', params: { matcher, state: 'gone', timeoutMs: 5_000 } } as const
    const { error } = await act(gone, {
      uiAt: clock => ({ tree: () => (clock.elapsed() >= 1_000 ? screen() : tree()) }),
    })
    expect(error).toBeNull()
    expect((await act(gone, { ui: { tree } })).data).toMatchObject({ error: 'NODE_STILL_VISIBLE' })
  })

  test('for an element of a page that cannot be read, which is said in the end', async () => {
    const unreadPages = { reason: 'the page is closed', hint: 'Open it.' }
    const blind = () => ({ ...tree(), unreadPages })
    const css = { flow: { css: 'main' } }
    const wait = { type: 'wait_for_node', params: { matcher: css, timeoutMs: 5_000 } } as const
    const { data, error } = await act(wait, { ui: { tree: blind } })
    expect(data).toMatchObject({ error: 'NODE_NOT_FOUND', message: expect.stringMatching(/; the page is closed$/) })
    expect(error?.hint).toBe('Open it.')
    const gone = { type: 'wait_for_node', params: { matcher: css, state: 'gone', timeoutMs: 5_000 } } as const
    expect((await act(gone, { ui: { tree: blind } })).data).toMatchObject({ error: 'NODE_STILL_VISIBLE' })
    expect((await act(gone, { ui: { tree } })).error).toBeNull()
  })
})

describe('the screen of a wait', () => {
  test('is the one that the click needs', async () => {
    const { driver, error } = await act([wait, click], { ui: { tree } })
    expect(error).toBeNull()
    expect(looks(driver)).toBe(1)
    expect(driver.deeds()).toEqual([['click', 'Buy', 'default']])
  })

  test.each([
    ['for another node', [wait, { ...click, params: { matcher: { flow: { text: 'Buy' } } } }]],
    ['after a key', [wait, { type: 'press_key', params: { key: 'back' } } as const, click]],
    ['after a while', [wait, { type: 'sleep', params: { durationMs: 1 } } as const, click]],
    [
      'for a matcher that is no flow’s',
      [
        { type: 'wait_for_node', params: { matcher: { textEquals: 'Buy' } } } as const,
        { type: 'click', params: { matcher: { textEquals: 'Buy' } } } as const,
      ],
    ],
  ])('is read again %s', async (_name, steps) => {
    const { driver, error } = await act(steps, { ui: { tree } })
    expect(error).toBeNull()
    expect(looks(driver)).toBe(2)
  })

  test('is read again by a second attempt', async () => {
    const retried = { type: 'click', params: { matcher, retry: { maxAttempts: 2 } } } as const
    const { driver } = await act([wait, retried], { ui: { tree, refused: new Set(['click']) } })
    expect(looks(driver)).toBe(2)
  })
})

describe('scroll_until over the whole screen', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => `Row ${index + 1}`)
  const listUi = (count: number, extra = {}): Partial<FakeUi> => {
    const list = scrollingList(rows(count), extra)
    return { tree: list.tree, onSwipe: list.swipe }
  }
  const scroll = async (params: object, ui: Partial<FakeUi> = listUi(40)) => {
    const input = { type: 'scroll_until', params: { wholeScreen: true, ...params } }
    const acted = await act(input as Parameters<typeof act>[0] & object, { ui })
    return { ...acted, swipes: acted.driver.deeds().filter(([method]) => method === 'swipe') }
  }
  const row = (number: number) => ({ matcher: { flow: { text: `Row ${number}` } } })

  test('swipes from the middle, also where nothing says that it scrolls', async () => {
    const { data, swipes } = await scroll({ ...row(7), swipeDurationMs: 601 }, listUi(40, { scrollable: false }))
    expect(data).toEqual({ termination_reason: 'target_found', scrolls_executed: '1' })
    expect(swipes).toEqual([['swipe', { x: 200, y: 400 }, { x: 200, y: 80 }, 601]])
  })

  test('a target that is there needs no swipe', async () => {
    expect((await scroll(row(2))).swipes).toEqual([])
  })

  test.each([
    ['up', { x: 200, y: 720 }],
    ['left', { x: 360, y: 400 }],
    ['right', { x: 40, y: 400 }],
  ])('%s', async (direction, end) => {
    const { swipes } = await scroll({ ...row(99), direction, maxScrolls: 1 })
    expect(swipes).toEqual([['swipe', { x: 200, y: 400 }, end, 400]])
  })

  test('a target that is cut by its list is scrolled into sight', async () => {
    const list = node({ at: [0, 0, 400, 500], scrollable: true, children: [] })
    const shown = (top: number) => () =>
      screen(
        node({
          at: [0, 0, 400, 800],
          children: [{ ...list, children: [node({ text: 'Row', at: [0, top, 400, top + 100] })] }],
        }),
      )
    let top = 450
    const onSwipe = () => {
      top -= 200
    }
    const ui = { tree: () => shown(top)(), onSwipe }
    const { swipes } = await scroll({ matcher: { flow: { text: 'Row' } }, minVisiblePercent: 100 }, ui)
    expect(swipes).toHaveLength(1)
    top = 450
    expect((await scroll({ matcher: { flow: { text: 'Row' } }, minVisiblePercent: 50 }, ui)).swipes).toEqual([])
  })

  test('a target in sight goes on to the middle', async () => {
    const near = await scroll({ ...row(12), centerTarget: true })
    const plainly = await scroll(row(12))
    expect(near.data).toMatchObject({ termination_reason: 'target_found' })
    expect(near.swipes.length).toBeGreaterThanOrEqual(plainly.swipes.length)
  })

  test('at the end of the list the middle is not waited for', async () => {
    const atEdge: Partial<FakeUi> = {
      tree: () => screen(node({ at: [0, 0, 400, 800], children: [node({ text: 'Row', at: [0, 700, 400, 780] })] })),
    }
    const { data } = await scroll({ matcher: { flow: { text: 'Row' } }, centerTarget: true }, atEdge)
    expect(data).toMatchObject({ termination_reason: 'target_found' })
  })

  test('a target that never comes', async () => {
    const { data } = await scroll({ ...row(99), maxScrolls: 3 })
    expect(data).toMatchObject({ error: 'TARGET_NOT_FOUND', termination_reason: 'max_scrolls' })
  })
})
