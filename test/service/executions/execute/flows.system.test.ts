/** What commands of flows need of executions, with every operator. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { afterAll, describe, expect, test } from 'vitest'
import { validateExecution } from '../../../../src/service/executions/validate.ts'
import { payloadOf } from '../../../support/executions/lab.ts'
import { OPERATORS, operatorLab, type Step } from '../../../support/executions/operator-lab.ts'
import { scenarioOf } from '../../../support/simulator/simulated-ui.ts'

const APP = 'com.example.shop'

const card = (title: string, id: string) => ({
  layout: 'row',
  height: 120,
  resourceId: `${APP}:id/card`,
  nodes: [
    { text: title, width: 150 },
    { class: 'Button', text: 'Buy', width: 100, onTap: { goTo: id }, onLongPress: { goTo: 'held' } },
  ],
})

const SCENARIO = scenarioOf({
  front: APP,
  timeScale: 0.05,
  apps: [
    {
      package: APP,
      label: 'Shop',
      screens: {
        main: {
          nodes: [
            { text: 'Shop', textSize: 24, resourceId: `${APP}:id/title` },
            card('Chair', 'chair'),
            card('Table', 'table'),
            { hint: 'Your name', resourceId: `${APP}:id/name` },
            {
              class: 'Switch',
              resourceId: `${APP}:id/gift`,
              contentDesc: 'As a gift',
              height: 60,
              onTap: { toggle: 'gift' },
              id: 'gift',
            },
            { text: 'All goods', onTap: { goTo: 'goods' } },
          ],
        },
        chair: { nodes: [{ text: 'Chair bought' }] },
        table: { nodes: [{ text: 'Table bought' }] },
        held: { nodes: [{ text: 'Held' }] },
        goods: {
          nodes: [
            {
              scrollable: true,
              nodes: Array.from({ length: 40 }, (_, index) => ({ text: `Good ${index + 1}`, height: 100 })),
            },
          ],
        },
      },
    },
  ],
})

const flow = (selector: object) => ({ flow: selector })

describe.each(OPERATORS)('%s', operatorPackage => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-flows-'))
  const { phone, envelopeOf, dataOf } = operatorLab(operatorPackage, SCENARIO)
  const open: Step = ['open_app', { applicationId: APP, stopFirst: true }]
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('a tap waits for its node, touches it and lets the screen settle', async () => {
    const matcher = flow({ text: 'buy', rightOf: { text: 'Chair' }, index: 1 })
    const [, wait, click] = await dataOf(
      open,
      ['wait_for_node', { matcher, timeoutMs: 17_000 }],
      ['click', { matcher }],
      ['wait_for_idle'],
      ['wait_for_node', { matcher: flow({ text: '.*bought' }) }],
    )
    expect(wait).toMatchObject({ label: 'Buy' })
    expect(click).toEqual({ click_type: 'default' })
    const [seen] = await dataOf(['read_text', { matcher: flow({ text: '.* bought' }) }])
    expect(seen?.text).toBe('Table bought')
  })

  test('relations, parents and ids choose among what looks alike', async () => {
    const [, inCard, below] = await dataOf(
      open,
      [
        'wait_for_node',
        { matcher: flow({ text: 'Buy', childOf: { id: 'card', containsDescendants: [{ text: 'Table' }] } }) },
      ],
      ['read_text', { matcher: flow({ id: '.*/card', index: -1 }), orHint: true }],
      ['click', { matcher: flow({ text: 'Buy', below: { text: 'Shop' }, index: 0 }) }],
      ['wait_for_node', { matcher: flow({ text: 'Chair bought' }) }],
    )
    expect(inCard).toMatchObject({ label: 'Buy' })
    expect(below).toHaveProperty('text')
  })

  test('a long press holds, and a point of a node is touched', async () => {
    await dataOf(
      open,
      ['click', { matcher: flow({ text: 'Buy', index: 0 }), clickType: 'long_click', holdMs: 3_000 }],
      ['wait_for_node', { matcher: flow({ text: 'Held' }) }],
      open,
      ['click', { matcher: flow({ id: 'card', index: 0 }), point: { x: 99, y: 50, unit: 'percent' }, repeat: 2 }],
      ['click', { matcher: flow({ text: 'Buy', index: 1 }), point: { x: 3, y: 3, unit: 'pixel' } }],
      ['wait_for_node', { matcher: flow({ text: 'Table bought' }) }],
    )
  })

  test('gestures of the host find their nodes too', async () => {
    const [, , tapped] = await dataOf(
      open,
      ['wait_for_node', { matcher: flow({ text: 'Buy' }) }],
      ['double_tap', { matcher: flow({ text: 'Buy' }) }],
      ['wait_for_node', { matcher: flow({ text: '.*bought' }) }],
      open,
      ['drag', { from: { matcher: flow({ text: 'Table' }) }, to: { matcher: flow({ text: 'Shop' }) }, holdMs: 0 }],
    )
    expect(tapped).toEqual({})
  })

  test('a field is filled, erased and read with its hint', async () => {
    const field = flow({ id: 'name' })
    const [, , , , typed, , erased] = await dataOf(
      open,
      ['wait_for_node', { matcher: flow({ text: 'Your name' }) }],
      ['click', { matcher: field }],
      ['enter_text', { text: 'Anna', append: true }],
      ['read_text', { matcher: field, orHint: true }],
      ['erase_text', { characters: 2 }],
      ['read_text', { matcher: field, orHint: true }],
    )
    expect(typed?.text).toBe('Anna')
    expect(erased?.text).toBe('An')
    const [, empty] = await dataOf(['erase_text'], ['read_text', { matcher: field, orHint: true }], ['hide_keyboard'])
    expect(empty?.text).toBe('Your name')
  })

  test('a target is scrolled to, and the screen is swiped', async () => {
    const target = flow({ text: 'Good 14' })
    const [, , end] = await dataOf(
      open,
      ['click', { matcher: flow({ text: 'All goods' }) }],
      [
        'scroll_until',
        {
          matcher: target,
          wholeScreen: true,
          swipeDurationMs: 601,
          minVisiblePercent: 100,
          maxScrolls: 200,
          maxDurationMs: 20_000,
        },
      ],
    )
    expect(end).toMatchObject({ termination_reason: 'target_found' })
    const firstRow = async () =>
      (await dataOf(['read_text', { matcher: flow({ text: 'Good .*', index: 0 }) }]))[0]?.text
    const before = await firstRow()
    await dataOf(['swipe', { direction: 'down', durationMs: 400 }])
    const between = await firstRow()
    expect(between).not.toBe(before)
    const percent = (y: number) => ({ x: 50, y, unit: 'percent' })
    await dataOf(['swipe', { start: percent(70), end: percent(30) }])
    expect(await firstRow()).not.toBe(between)
    const later = await firstRow()
    await dataOf(['swipe', { direction: 'up', from: { matcher: flow({ text: 'Good .*', index: 3 }) } }])
    expect(await firstRow()).not.toBe(later)
  })

  test('a picture of a node has its size', async () => {
    const path = join(folder, 'gift.png')
    const [, shot] = await dataOf(open, ['take_screenshot', { path, matcher: flow({ text: 'As a gift' }) }])
    expect(shot).toEqual({ path })
    const { width, height } = decode(readFileSync(path))
    const bounds = /"contentDesc":"As a gift"[^{}]*"bounds":\{"left":(\d+),"top":(\d+),"right":(\d+),"bottom":(\d+)\}/
    const [, left, top, right, bottom] = bounds.exec(JSON.stringify(phone().tree())) ?? []
    expect({ width, height }).toEqual({ width: Number(right) - Number(left), height: Number(bottom) - Number(top) })
    const none = await envelopeOf(['take_screenshot', { path, matcher: flow({ text: 'Nowhere' }) }])
    expect(none.error).toMatchObject({ code: 'NODE_NOT_FOUND' })
  })

  test('an app is ended in the background alone, links open in a browser, and pictures come to the gallery', async () => {
    const picture = join(folder, 'a.png')
    writeFileSync(picture, 'picture')
    const kill = ['close_app', { applicationId: APP, background: true }] as const
    await dataOf(open, kill)
    expect(phone().foreground().packageName).toBe(APP)
    const [, added] = await dataOf(['press_key', { key: 'home' }], ['add_media', { paths: [picture] }], kill)
    expect(added).toMatchObject({ paths: '["/sdcard/Pictures/a.png"]' })
  })

  test('a pattern that refers to itself is refused in words', async () => {
    const given = [{ id: 'a', type: 'click', params: { matcher: flow({ text: '(a)\\1' }) } }]
    const validation = validateExecution({ ...payloadOf(given), timeoutMs: 60_000 })
    expect(validation).toMatchObject({
      ok: false,
      error: { code: 'EXECUTION_VALIDATION_FAILED', message: expect.stringContaining('refers to a group') },
    })
  })
})
