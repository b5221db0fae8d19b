import { describe, expect, test } from 'vitest'
import { type FakeUi, node, screen, scrollingList } from '../../support/device/fake-ui-driver.ts'
import { type Acted, act } from '../screen/act.ts'

const rows = (count: number) => Array.from({ length: count }, (_, index) => `Row ${index + 1}`)
const listUi = (count: number): Partial<FakeUi> => {
  const list = scrollingList(rows(count))
  return { tree: list.tree, onSwipe: list.swipe }
}
const run = (
  type: string,
  params: object | undefined,
  ui: Partial<FakeUi> = listUi(20),
  more: object = {},
): Promise<Acted> => act({ type, ...(params ? { params } : {}) } as Parameters<typeof act>[0] & object, { ui, ...more })
const swipes = ({ driver }: Acted) => driver.deeds().filter(([method]) => method === 'swipe')
const plain = (): Partial<FakeUi> => ({
  tree: () => screen(node({ resourceId: 'page', children: [node({ resourceId: 'still' })] })),
})

describe('scroll', () => {
  test('by default moves 0.7 of the first container down, and looks again after 250 ms', async () => {
    const acted = await run('scroll', undefined)
    expect(acted.data).toEqual({ scroll_outcome: 'moved', direction: 'down' })
    expect(swipes(acted)).toEqual([['swipe', { x: 200, y: 425 }, { x: 200, y: 75 }, 233]])
    expect(acted.elapsedMs).toBe(250)
  })

  test.each([
    { direction: 'up', outcome: 'edge_reached' },
    { direction: 'left', outcome: 'edge_reached' },
    { direction: 'right', outcome: 'edge_reached' },
  ])('$direction at the top: $outcome', async ({ direction, outcome }) => {
    const { data } = await run('scroll', { direction })
    expect(data).toEqual({ scroll_outcome: outcome, direction })
  })

  test('up after down moves back', async () => {
    const ui = listUi(20)
    await run('scroll', {}, ui)
    expect((await run('scroll', { direction: 'up' }, ui)).data).toMatchObject({ scroll_outcome: 'moved' })
    expect((await run('scroll', { direction: 'up' }, ui)).data).toMatchObject({ scroll_outcome: 'edge_reached' })
  })

  test('sees rows of one height that changed places', async () => {
    const ui = listUi(20)
    expect((await run('scroll', { distanceRatio: 0.4 }, ui)).data).toMatchObject({ scroll_outcome: 'moved' })
  })

  test('takes distance and settling time', async () => {
    const acted = await run('scroll', { distanceRatio: 0.5, settleDelayMs: 1_000 })
    expect(swipes(acted)).toEqual([['swipe', { x: 200, y: 375 }, { x: 200, y: 125 }, 200]])
    expect(acted.elapsedMs).toBe(1_000)
  })

  test.each([
    { params: { container: { resourceId: 'none' } }, code: 'CONTAINER_NOT_FOUND', ui: listUi(20) },
    { params: {}, code: 'CONTAINER_NOT_FOUND', ui: plain() },
    { params: {}, code: 'SNAPSHOT_HIERARCHY_UNAVAILABLE', ui: { tree: () => undefined } },
    { params: { findFirstScrollableChild: false }, code: 'CONTAINER_NOT_FOUND', ui: listUi(20) },
    { params: { container: { resourceId: 'page' } }, code: 'CONTAINER_NOT_SCROLLABLE', ui: plain() },
    { params: {}, code: 'GESTURE_FAILED', ui: { ...listUi(20), refused: new Set(['swipe']) } },
  ])('$params: $code', async ({ params, code, ui }) => {
    expect((await run('scroll', params, ui)).data.error).toBe(code)
  })

  test('of a container that does not scroll takes the first that does inside, unless told not to', async () => {
    const list = scrollingList(rows(9))
    const inner = list.tree().roots[0]?.children ?? []
    const tree = () =>
      screen(node({ scrollable: true, at: [0, 0, 900, 900] }), node({ resourceId: 'frame', children: inner }))
    const container = { resourceId: 'frame' }
    expect(swipes(await run('scroll', { container }, { tree }))[0]?.[1]).toEqual({ x: 200, y: 425 })
    const { data } = await run('scroll', { container, findFirstScrollableChild: false }, { tree })
    expect(data.error).toBe('CONTAINER_NOT_SCROLLABLE')
  })

  test('scrollRetry repeats a refused swipe, looking again', async () => {
    const ui = { ...listUi(20), refused: new Set(['swipe']) }
    const acted = await run('scroll', { scrollRetry: { maxAttempts: 3, initialDelayMs: 10, maxDelayMs: 10 } }, ui)
    expect(acted.data.error).toBe('GESTURE_FAILED')
    expect(swipes(acted)).toHaveLength(3)
    expect(acted.driver.calls.filter(([method]) => method === 'tree')).toHaveLength(3)
  })
})

describe('scroll_until', () => {
  const until = (params: object, ui?: Partial<FakeUi>, more?: object) => run('scroll_until', params, ui, more)

  test.each([
    { wanted: 'Row 2', scrolls: '0' },
    { wanted: 'Row 12', scrolls: '2' },
    { wanted: 'Row 20', scrolls: '5' },
  ])('$wanted is reached after $scrolls scrolls', async ({ wanted, scrolls }) => {
    const acted = await until({ matcher: { textEquals: wanted } })
    expect(acted.data).toEqual({ termination_reason: 'target_found', scrolls_executed: scrolls })
    expect(swipes(acted)).toHaveLength(Number(scrolls))
  })

  test('without a matcher ends where the content ends', async () => {
    expect((await until({})).data).toEqual({ termination_reason: 'edge_reached', scrolls_executed: '8' })
    expect((await until({ noPositionChangeThreshold: 1 })).data).toMatchObject({ scrolls_executed: '6' })
    expect((await run('scroll_until', undefined, listUi(3))).data).toEqual({
      termination_reason: 'no_position_change',
      scrolls_executed: '3',
    })
  })

  test.each([
    { params: { maxScrolls: 2 }, reason: 'max_scrolls', scrolls: '2' },
    { params: { maxDurationMs: 0 }, reason: 'max_duration', scrolls: '0' },
    { params: { maxDurationMs: 600 }, reason: 'max_duration', scrolls: '3' },
    { params: {}, reason: 'edge_reached', scrolls: '8' },
    { params: { direction: 'up' }, reason: 'no_position_change', scrolls: '3' },
  ])('$params without the target: $reason', async ({ params, reason, scrolls }) => {
    const { data } = await until({ matcher: { textEquals: 'Row 99' }, ...params })
    expect(data).toEqual({
      error: 'TARGET_NOT_FOUND',
      message: `No UI node found matching criteria textEquals=Row 99 after ${scrolls} scrolls (${reason})`,
      termination_reason: reason,
      scrolls_executed: scrolls,
    })
    expect((await until(params)).data).toEqual({ termination_reason: reason, scrolls_executed: scrolls })
  })

  test('by default scrolls at most 20 times and 10 seconds', async () => {
    expect((await until({ settleDelayMs: 0 }, listUi(500))).data).toEqual({
      termination_reason: 'max_scrolls',
      scrolls_executed: '20',
    })
    const slow = await until({ settleDelayMs: 1_000 }, listUi(500))
    expect(slow.data).toEqual({ termination_reason: 'max_duration', scrolls_executed: '10' })
  })

  test('ends with the time of the execution', async () => {
    const { data } = await until({}, listUi(500), { deadline: 1_000_500 })
    expect(data).toEqual({ termination_reason: 'max_duration', scrolls_executed: '2' })
  })

  test('takes a list that hesitates for one that goes on', async () => {
    const list = scrollingList(rows(20))
    let swiped = 0
    const hesitating = {
      tree: list.tree,
      onSwipe: (...way: Parameters<typeof list.swipe>) => void (++swiped % 3 || list.swipe(...way)),
    }
    expect((await until({ matcher: { textEquals: 'Row 20' } }, hesitating)).data).toEqual({
      termination_reason: 'target_found',
      scrolls_executed: '15',
    })
  })

  test('clicks the target when it is asked to', async () => {
    const matcher = { textEquals: 'Row 12' }
    expect((await until({ matcher })).driver.deeds().at(-1)?.[0]).toBe('swipe')
    const { data, driver } = await until({ matcher, clickAfter: true })
    expect(driver.deeds().at(-1)).toEqual(['click', 'Row 12', 'default'])
    expect(data).toEqual({ termination_reason: 'target_found', scrolls_executed: '2' })
  })

  test('says when the click is refused, after its retries', async () => {
    const ui = { ...listUi(20), refused: new Set(['click']) }
    const params = { matcher: { textEquals: 'Row 12' }, clickAfter: true, clickRetry: { maxAttempts: 2 } }
    const { data, driver } = await until(params, ui)
    expect(data).toEqual({ error: 'GESTURE_FAILED', message: 'the system refused the click' })
    expect(driver.deeds().filter(([method]) => method === 'click')).toHaveLength(2)
  })

  test.each([
    { params: { container: { resourceId: 'none' } }, code: 'CONTAINER_NOT_FOUND', ui: listUi(20) },
    { params: { container: { resourceId: 'page' } }, code: 'CONTAINER_NOT_SCROLLABLE', ui: plain() },
  ])('$params: $code', async ({ params, code, ui }) => {
    expect((await until(params, ui)).data.error).toBe(code)
  })
})

describe('scroll_and_click', () => {
  const scrollAndClick = (params: object, ui?: Partial<FakeUi>) => run('scroll_and_click', params, ui)

  test.each(['default', 'long_click'])('scrolls to the target and clicks it: %s', async clickType => {
    const { data, driver } = await scrollAndClick({ matcher: { textEquals: 'Row 12' }, clickType })
    expect(data).toEqual({ scrolls_executed: '2' })
    expect(driver.deeds().at(-1)).toEqual(['click', 'Row 12', clickType])
  })

  test('does not click when told not to', async () => {
    const { driver } = await scrollAndClick({ matcher: { textEquals: 'Row 12' }, clickAfter: false })
    expect(driver.deeds().at(-1)?.[0]).toBe('swipe')
  })

  test('needs no container for a target that is there', async () => {
    const tree = () => screen(node({ text: 'Here', clickable: true }))
    expect((await scrollAndClick({ matcher: { textEquals: 'Here' } }, { tree })).data).toEqual({
      scrolls_executed: '0',
    })
  })

  test.each([
    { given: {}, scrolls: 10 },
    { given: { maxSwipes: 4 }, scrolls: 4 },
  ])('gives up after $scrolls swipes', async ({ given, scrolls }) => {
    const { data } = await scrollAndClick({ matcher: { textEquals: 'None' }, ...given }, listUi(500))
    expect(data).toMatchObject({ error: 'TARGET_NOT_FOUND', scrolls_executed: String(scrolls) })
  })

  test('ends early where the content ends', async () => {
    const { data } = await scrollAndClick({ matcher: { textEquals: 'None' } })
    expect(data).toMatchObject({ error: 'TARGET_NOT_FOUND', termination_reason: 'edge_reached', scrolls_executed: '8' })
  })

  test('without anything to scroll the target is not found', async () => {
    const { data } = await scrollAndClick({ matcher: { textEquals: 'None' } }, plain())
    expect(data).toEqual({
      error: 'TARGET_NOT_FOUND',
      message: 'No UI node found matching criteria textEquals=None, and nothing on the screen scrolls',
    })
  })

  test('a target that cannot be clicked', async () => {
    const tree = () => screen(node({ text: 'Here', enabled: false }))
    expect((await scrollAndClick({ matcher: { textEquals: 'Here' } }, { tree })).data.error).toBe('NODE_NOT_CLICKABLE')
  })
})
