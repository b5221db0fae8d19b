import { describe, expect, test } from 'vitest'
import { node, screen } from '../../../support/fake-ui-driver.ts'
import { act } from '../act.ts'

const tree = () =>
  screen(
    node({
      resourceId: 'window',
      longClickable: true,
      focusable: true,
      children: [
        node({
          resourceId: 'row',
          clickable: true,
          children: [node({ text: 'Title' }), node({ text: 'Off', enabled: false })],
        }),
        node({ text: 'Save', clickable: true, longClickable: true, focusable: true }),
        node({ text: 'Locked', clickable: true, enabled: false }),
        node({ text: 'Loose' }),
      ],
    }),
  )

const click = (params: object, ui: object = {}) =>
  act({ type: 'click', params } as Parameters<typeof act>[0] & object, { ui: { tree, ...ui } })

describe('click', () => {
  test.each([
    { textEquals: 'Save', clickType: 'default', receiver: 'Save' },
    { textEquals: 'Title', clickType: 'default', receiver: 'row' },
    { textEquals: 'Off', clickType: 'default', receiver: 'row' },
    { textEquals: 'Save', clickType: 'long_click', receiver: 'Save' },
    { textEquals: 'Title', clickType: 'long_click', receiver: 'window' },
    { textEquals: 'Save', clickType: 'focus', receiver: 'Save' },
    { textEquals: 'Title', clickType: 'focus', receiver: 'window' },
  ])('$clickType on $textEquals reaches $receiver', async ({ textEquals, clickType, receiver }) => {
    const { data, driver } = await click({ matcher: { textEquals }, clickType })
    expect(data).toEqual({ click_type: clickType })
    expect(driver.deeds()).toEqual([['click', receiver, clickType]])
  })

  test('is a plain click by default', async () => {
    expect((await click({ matcher: { textEquals: 'Save' } })).data).toEqual({ click_type: 'default' })
  })

  test('names a missing node', async () => {
    const { data, error } = await click({ matcher: { textEquals: 'Sav' } })
    expect(data).toEqual({ error: 'NODE_NOT_FOUND', message: 'No UI node found matching criteria textEquals=Sav' })
    expect(error).toEqual({
      code: 'NODE_NOT_FOUND',
      message: 'Step "a" (click) failed: No UI node found matching criteria textEquals=Sav.',
      details: { actionId: 'a', actionType: 'click' },
    })
  })

  test('does not call a node missing when the screen cannot be seen', async () => {
    const { data } = await click({ matcher: { textEquals: 'Save' } }, { tree: () => undefined })
    expect(data).toEqual({ error: 'SNAPSHOT_HIERARCHY_UNAVAILABLE', message: 'the window returned no hierarchy' })
  })

  test('reaches a node that nothing clickable is around', async () => {
    const { driver } = await click({ matcher: { textEquals: 'Loose' } })
    expect(driver.deeds()).toEqual([['click', 'Loose', 'default']])
  })

  test('does not click what is disabled', async () => {
    const { data, driver } = await click({ matcher: { textEquals: 'Locked' } })
    expect(data).toEqual({
      error: 'NODE_NOT_CLICKABLE',
      message: 'the node that matches textEquals=Locked is disabled',
    })
    expect(driver.deeds()).toEqual([])
  })

  test.each(['default', 'long_click'])('says when the system refuses a %s', async clickType => {
    const { data } = await click({ matcher: { textEquals: 'Save' }, clickType }, { refused: new Set(['click']) })
    expect(data).toMatchObject({ error: 'GESTURE_FAILED' })
  })

  test.each(['default', 'long_click'])('on a coordinate touches there, %s', async clickType => {
    const { data, driver } = await click({ coordinate: { x: 3, y: 0 }, clickType })
    expect(data).toEqual({ click_type: clickType })
    expect(driver.calls).toEqual([['tap', { x: 3, y: 0 }, clickType]])
  })

  test('on a coordinate says when the system refuses', async () => {
    const { data } = await click({ coordinate: { x: 3, y: 0 } }, { refused: new Set(['tap']) })
    expect(data).toEqual({ error: 'GESTURE_FAILED', message: 'the system refused the default at 3,0' })
  })

  test.each(['retry', 'clickRetry'])('%s looks again before it clicks again', async key => {
    let looks = 0
    const later = () => (++looks < 3 ? screen(node({ text: 'Save', enabled: false })) : tree())
    const params = {
      matcher: { textEquals: 'Save' },
      [key]: { maxAttempts: 3, initialDelayMs: 400, backoffMultiplier: 2 },
    }
    const { data, elapsedMs } = await click(params, { tree: later })
    expect(data).toEqual({ click_type: 'default' })
    expect(looks).toBe(3)
    expect(elapsedMs).toBe(1_200)
  })
})

describe('swipe', () => {
  const points = { start: { x: 1, y: 2 }, end: { x: 3, y: 4 } }

  test.each([
    { given: {}, ms: 300 },
    { given: { durationMs: 10_000 }, ms: 10_000 },
  ])('takes $ms ms', async ({ given, ms }) => {
    const { data, driver } = await act({ type: 'swipe', params: { ...points, ...given } })
    expect(data).toEqual({ duration_ms: String(ms) })
    expect(driver.calls).toEqual([['swipe', points.start, points.end, ms]])
  })

  test('says when the system refuses', async () => {
    const { data } = await act({ type: 'swipe', params: points }, { ui: { refused: new Set(['swipe']) } })
    expect(data).toEqual({ error: 'GESTURE_FAILED', message: 'the system refused the swipe' })
  })
})
