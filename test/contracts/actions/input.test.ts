import { expect, test } from 'vitest'
import { Action } from '../../../src/contracts/executions/action.ts'
import { accept, complaints } from '../parse.ts'
import { actionTable } from './table.ts'

const matcher = { resourceId: 'com.example:id/ok' }
const at = (x: unknown, y: unknown) => ({ x, y })
const NEITHER_NOR = 'params'

actionTable(
  {
    type: 'click',
    least: { matcher },
    filled: { matcher, clickType: 'default' },
    matchers: ['matcher'],
    choices: { clickType: ['default', 'long_click', 'focus'] },
    retries: true,
    accepted: [
      { coordinate: at(0, 0) },
      { coordinate: at(5_000, 1), clickType: 'default' },
      { coordinate: at(1, 1), clickType: 'long_click' },
      { matcher: { flow: { text: 'OK' } } },
      { matcher, point: { ...at(7, 3), unit: 'pixel' } },
      { point: { ...at(50, 100), unit: 'percent' }, repeat: 100, repeatDelayMs: 0 },
      { coordinate: at(1, 1), clickType: 'long_click', holdMs: 3_000 },
    ],
    rejected: [
      [{}, NEITHER_NOR],
      [{ clickType: 'default' }, NEITHER_NOR],
      [{ matcher, coordinate: at(1, 1) }, NEITHER_NOR],
      [{ coordinate: at(1, 1), clickType: 'focus' }, 'params.clickType'],
      [{ coordinate: at(-1, 0) }, 'params.coordinate.x'],
      [{ coordinate: at(0, -1) }, 'params.coordinate.y'],
      [{ coordinate: at(1.5, 0) }, 'params.coordinate.x'],
      [{ coordinate: at(1, '1') }, 'params.coordinate.y'],
      [{ coordinate: { x: 1 } }, 'params.coordinate.y'],
      [{ coordinate: { ...at(1, 1), z: 1 } }, 'params.coordinate.z'],
      [{ coordinate: [1, 1] }, 'params.coordinate'],
      [{ coordinate: null }, 'params.coordinate'],
      [{ point: { ...at(1, 1), unit: 'pixel' } }, NEITHER_NOR],
      [{ coordinate: at(1, 1), point: { ...at(1, 1), unit: 'pixel' } }, 'params.point'],
      [{ matcher, point: { ...at(101, 1), unit: 'percent' } }, 'params.point.x'],
      [{ matcher, point: { ...at(1.5, 1), unit: 'pixel' } }, 'params.point.x'],
      [{ matcher, point: at(1, 1) }, 'params.point.unit'],
      [{ matcher, point: { ...at(1, 1), unit: 'percent' }, clickType: 'focus' }, 'params.clickType'],
      [{ matcher, holdMs: 3_000 }, 'params.holdMs'],
      [{ matcher, clickType: 'long_click', holdMs: 0 }, 'params.holdMs'],
      [{ matcher, repeat: 0 }, 'params.repeat'],
    ],
  },
  {
    type: 'swipe',
    least: { start: at(0, 0), end: at(10, 10) },
    filled: { start: at(0, 0), end: at(10, 10), durationMs: 300 },
    required: ['start', 'end'],
    integers: { durationMs: [1, 10_000] },
    accepted: [{ start: { ...at(50, 50), unit: 'percent' }, end: { ...at(1, 1), unit: 'pixel' } }],
    rejected: [
      [{ start: at(0, -1), end: at(1, 1) }, 'params.start.y'],
      [{ start: at(0, 0), end: at(1, null) }, 'params.end.y'],
      [{ start: at(0, 0), end: { x: 1 } }, 'params.end.y'],
      [{ start: at(0, 0), end: { ...at(101, 1), unit: 'percent' } }, 'params.end.x'],
      [{ start: at(0, 0), end: at(1, 1), direction: 'up' }, 'params'],
      [{ start: at(0, 0), end: at(1, 1), from: { matcher } }, 'params'],
    ],
  },
)

actionTable(
  {
    type: 'enter_text',
    least: { matcher, text: 'hello' },
    filled: { matcher, text: 'hello', append: false, clear: false, submit: false },
    required: ['text'],
    matchers: ['matcher'],
    texts: { text: [1, 512] },
    booleans: ['append', 'clear', 'submit'],
    retries: true,
    accepted: [
      { text: 'hello' },
      { matcher, text: ' ' },
      { matcher, text: 'two\nlines' },
      { matcher, text: 'x', append: true, clear: false },
      { matcher, text: 'x', append: false, clear: true },
    ],
    rejected: [[{ matcher, text: 'x', append: true, clear: true }, 'params.append']],
  },
  {
    type: 'press_key',
    least: { key: 'back' },
    filled: { key: 'back' },
    required: ['key'],
    choices: { key: ['back', 'home', 'recents', 'enter', 'delete'] },
  },
)

test.each(['BACK', 'Home', 'rEcEnTs', 'ENTER', 'Delete'])('the key %s is taken and kept in lower case', key => {
  expect(accept(Action, { id: 'k', type: 'press_key', params: { key } }).params).toEqual({ key: key.toLowerCase() })
})

test.each([
  ['Volume Up', 'volume_up'],
  ['DPAD-LEFT', 'dpad_left'],
  ['app_switch', 'app_switch'],
  ['7', '7'],
])('the key %j is %s', (key, name) => {
  expect(accept(Action, { id: 'k', type: 'press_key', params: { key } })).toMatchObject({ params: { key: name } })
})

test.each([' back', 'KEYCODE_BACK', 'volume', '', 'ſ', '1 2', 'back; reboot'])('the key %j is refused', key => {
  expect(complaints(Action, { id: 'k', type: 'press_key', params: { key } })).toEqual(['params.key'])
})

test('a swipe has a direction in place of its points, and may begin at a node', () => {
  const swipe = (params: object) => ({ id: 'a', type: 'swipe', params })
  const middle = { ...at(50, 50), unit: 'percent' }
  expect(complaints(Action, swipe({ direction: 'up' }))).toEqual([])
  expect(complaints(Action, swipe({ direction: 'up', from: { coordinate: at(1, 1) } }))).toEqual([])
  expect(complaints(Action, swipe({ direction: 'up', from: { matcher }, point: middle }))).toEqual([])
  expect(complaints(Action, swipe({ direction: 'up', point: middle }))).toEqual(['params'])
  expect(complaints(Action, swipe({ direction: 'up', from: { coordinate: at(1, 1) }, point: middle }))).toEqual([
    'params',
  ])
  expect(complaints(Action, swipe({ direction: 'up', start: at(1, 1) }))).toEqual(['params'])
  expect(complaints(Action, swipe({ from: { matcher } }))).toEqual(['params.start', 'params.end', 'params'])
})
