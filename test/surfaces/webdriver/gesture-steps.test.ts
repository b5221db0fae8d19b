/** W3C actions become the steps that a person would have written for them, or are refused with what would work. */
import { describe, expect, test } from 'vitest'
import { ELEMENT_KEY } from '../../../src/surfaces/webdriver/commands/elements.ts'
import { ACTION_COMMANDS } from '../../../src/surfaces/webdriver/commands/screen-commands.ts'
import { ELEMENT, webDriverBench } from '../../support/webdriver/webdriver-bench.ts'

const [perform] = ACTION_COMMANDS
const element = { [ELEMENT_KEY]: 'e1' }

const move = (x: number, y: number, duration = 0, origin: unknown = 'viewport') => ({
  type: 'pointerMove',
  duration,
  x,
  y,
  origin,
})
const down = { type: 'pointerDown', button: 0 }
const up = { type: 'pointerUp', button: 0 }
const pause = (duration: number) => ({ type: 'pause', duration })
const finger = (...actions: object[]) => ({
  type: 'pointer',
  id: 'finger',
  parameters: { pointerType: 'touch' },
  actions,
})
const keys = (...actions: object[]) => ({ type: 'key', id: 'keys', actions })
const typed = (text: string) =>
  [...text].flatMap(value => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])

const performed = async (...actions: object[]) => {
  const bench = webDriverBench()
  expect(await perform?.run(bench.session, { path: {}, body: { actions } })).toBe(null)
  return bench.performed
}

const refusal = async (...actions: object[]) => {
  const bench = webDriverBench()
  const run = perform?.run(bench.session, { path: {}, body: { actions } })
  const error = await Promise.resolve(run).then(
    () => undefined,
    (thrown: unknown) => thrown as Error & { error: string },
  )
  expect(bench.performed).toEqual([])
  return { name: error?.error, message: error?.message }
}

describe('one finger', () => {
  test('a tap', async () => {
    expect(await performed(finger(move(10, 20), down, pause(10), up))).toEqual([
      [['click', { coordinate: { x: 10, y: 20 } }]],
    ])
  })
  test('a tap on an element finds it in the execution itself', async () => {
    expect(await performed(finger(move(0, 0, 0, element), down, up))).toEqual([
      [['click', { matcher: { element: ELEMENT } }]],
    ])
  })
  test('a tap beside the centre of an element is one on the screen as it is', async () => {
    expect(await performed(finger(move(-90, 5, 0, element), down, up))).toEqual([
      [['click', { coordinate: { x: 110, y: 305 } }]],
    ])
  })
  test('a double tap, and three taps', async () => {
    const tap = [down, pause(50), up]
    expect(await performed(finger(move(1, 2), ...tap, pause(100), ...tap))).toEqual([
      [['double_tap', { coordinate: { x: 1, y: 2 } }]],
    ])
    expect(await performed(finger(move(1, 2), ...tap, pause(100), ...tap, pause(100), ...tap))).toEqual([
      [['click', { coordinate: { x: 1, y: 2 }, repeat: 3, repeatDelayMs: 100 }]],
    ])
  })
  test('two slow taps are two clicks with a pause between them', async () => {
    expect(await performed(finger(move(1, 2), down, up, pause(1_000), down, up))).toEqual([
      [
        ['click', { coordinate: { x: 1, y: 2 } }],
        ['sleep', { durationMs: 1_000 }],
        ['click', { coordinate: { x: 1, y: 2 } }],
      ],
    ])
  })
  test('a long press', async () => {
    expect(await performed(finger(move(0, 0, 0, element), down, pause(1_200), up))).toEqual([
      [['click', { matcher: { element: ELEMENT }, clickType: 'long_click', holdMs: 1_200 }]],
    ])
  })
  test('a swipe, also one of several legs on a line and relative to itself', async () => {
    expect(await performed(finger(move(500, 1_500), down, pause(10), move(500, 500, 400), up))).toEqual([
      [['swipe', { start: { x: 500, y: 1_500 }, end: { x: 500, y: 500 }, durationMs: 400 }]],
    ])
    const legs = [move(0, -300, 150, 'pointer'), move(0, -300, 150, 'pointer')]
    expect(await performed(finger(move(0, 0, 0, element), down, ...legs.slice(0, 1), up))).toEqual([
      [['swipe', { start: { x: 200, y: 300 }, end: { x: 200, y: 0 }, durationMs: 150 }]],
    ])
    expect(await performed(finger(move(500, 1_500), down, ...legs, up))).toEqual([
      [['swipe', { start: { x: 500, y: 1_500 }, end: { x: 500, y: 900 }, durationMs: 300 }]],
    ])
  })
  test('a finger that rests before it moves drags', async () => {
    const actions = [move(0, 0, 0, element), down, pause(600), move(700, 900, 300), up]
    expect(await performed(finger(...actions))).toEqual([
      [
        [
          'drag',
          {
            from: { matcher: { element: ELEMENT } },
            to: { coordinate: { x: 700, y: 900 } },
            holdMs: 600,
            durationMs: 300,
          },
        ],
      ],
    ])
  })
  test('a finger that turns, rests or changes its speed is moved exactly so', async () => {
    const way = [move(0, 500, 100), pause(50), move(300, 500, 100, 'viewport')]
    expect(await performed(finger(move(0, 0), down, ...way, pause(40), up))).toEqual([
      [
        [
          'move_fingers',
          {
            fingers: [
              [
                { x: 0, y: 0, ms: 0 },
                { x: 0, y: 500, ms: 100 },
                { x: 0, y: 500, ms: 150 },
                { x: 300, y: 500, ms: 250 },
                { x: 300, y: 500, ms: 290 },
              ],
            ],
          },
        ],
      ],
    ])
    const types = async (...actions: object[]) => (await performed(finger(...actions)))[0]?.map(([type]) => type)
    expect(await types(move(0, 0), down, move(0, 100, 100), move(0, 900, 100), up)).toEqual(['move_fingers'])
    expect(await types(move(0, 0), down, move(0, 500, 100), move(0, 0, 100), up)).toEqual(['move_fingers'])
  })
  test.each([
    ['stays down', [move(0, 0), down]],
    ['was nowhere', [down, up]],
  ])('a finger that %s is refused', async (_, actions) => {
    expect(await refusal(finger(...actions))).toMatchObject({ name: 'unsupported operation' })
  })
  test('a place outside of the screen', async () => {
    expect(await refusal(finger(move(-1, 5), down, up))).toMatchObject({ name: 'move target out of bounds' })
  })
})

describe('two fingers', () => {
  const other = (...actions: object[]) => ({ ...finger(...actions), id: 'other' })

  test('move together, each along its way', async () => {
    const one = finger(move(450, 1_000), down, move(300, 1_000, 500), up)
    const two = other(move(550, 1_000), down, pause(500), up)
    expect(await performed(one, two)).toEqual([
      [
        [
          'move_fingers',
          {
            fingers: [
              [
                { x: 450, y: 1_000, ms: 0 },
                { x: 300, y: 1_000, ms: 500 },
              ],
              [
                { x: 550, y: 1_000, ms: 0 },
                { x: 550, y: 1_000, ms: 500 },
              ],
            ],
          },
        ],
      ],
    ])
  })
  test('that come down at different times, and three of them, are refused', async () => {
    const way = [move(400, 1_000), down, move(400, 500, 500), up]
    expect(await refusal(finger(...way), other(pause(0), ...way))).toMatchObject({ name: 'unsupported operation' })
    const third = { ...finger(...way), id: 'third' }
    expect(await refusal(finger(...way), other(...way), third)).toMatchObject({
      name: 'unsupported operation',
      message: expect.stringContaining('3 fingers'),
    })
  })
  test('one after the other, each does its own', async () => {
    const one = finger(move(1, 1), down, up)
    const two = other(pause(0), pause(0), pause(500), move(9, 9), down, up)
    expect(await performed(one, two)).toEqual([
      [
        ['click', { coordinate: { x: 1, y: 1 } }],
        ['sleep', { durationMs: 500 }],
        ['click', { coordinate: { x: 9, y: 9 } }],
      ],
    ])
  })
})

describe('keys', () => {
  test('text is typed at once, and keys are pressed', async () => {
    expect(await performed(keys(...typed('Hi\uE007'), ...typed('yo')))).toEqual([
      [
        ['enter_text', { text: 'Hi', append: true }],
        ['press_key', { key: 'enter' }],
        ['enter_text', { text: 'yo', append: true }],
      ],
    ])
  })
  test('shift makes a letter a capital one; control is refused', async () => {
    const shift = { type: 'keyDown', value: '\uE008' }
    expect(await performed(keys(shift, ...typed('a'), { type: 'keyUp', value: '\uE008' }, ...typed('b')))).toEqual([
      [['enter_text', { text: 'Ab', append: true }]],
    ])
    expect(await refusal(keys({ type: 'keyDown', value: '\uE009' }, ...typed('a')))).toMatchObject({
      name: 'unsupported operation',
      message: expect.stringContaining('control'),
    })
  })
})

test('nothing to do makes no execution', async () => {
  expect(await performed(keys(), finger(move(5, 5)))).toEqual([])
})

test.each([
  [{}, 'actions must be an array'],
  [{ actions: [finger({ type: 'pointerMove', x: 'a', y: 0 })] }, 'actions.0.actions.0.x must be a number of pixels'],
  [{ actions: [finger(pause(1), pause(-1))] }, 'actions.0.actions.1.duration must be'],
  [{ actions: [finger({ type: 'tap' })] }, 'actions.0.actions.0.type must be pause, pointerDown'],
  [{ actions: [finger(), finger()] }, 'actions.1.id must be the id of one source alone'],
  [{ actions: [keys({ type: 'keyDown', value: 'ab' })] }, 'actions.0.actions.0.value must be one character'],
  [{ actions: [finger(move(0, 0, 0, 'window'))] }, 'actions.0.actions.0.origin must be'],
])('the path of what is wrong: %j', async (body, message) => {
  const { session } = webDriverBench()
  await expect(perform?.run(session, { path: {}, body })).rejects.toMatchObject({
    error: 'invalid argument',
    message: expect.stringContaining(message),
  })
})

test.each([
  ['a tap', [move(2_000, 10), down, up]],
  ['the end of a swipe', [move(10, 10), down, move(10, 9_000, 300), up]],
  ['a place far beside an element', [move(0, 9_000, 0, element), down, up]],
])('%s outside of the screen', async (_, items) => {
  expect(await refusal(finger(...items))).toMatchObject({ name: 'move target out of bounds' })
})
