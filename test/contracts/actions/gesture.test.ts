import { describe, expect, test } from 'vitest'
import { Action } from '../../../src/contracts/executions/action.ts'
import { accept, complaints } from '../parse.ts'

const matcher = { textEquals: 'Photo' }
const coordinate = { x: 1, y: 2 }
const action = (type: string, params: object) => ({ id: 'a', type, params })

test('the times of a drag, of a pinch and of a wait have defaults', () => {
  expect(accept(Action, action('drag', { from: { matcher }, to: { coordinate } })).params).toEqual({
    ...{ from: { matcher }, to: { coordinate } },
    ...{ holdMs: 500, durationMs: 600 },
  })
  expect(accept(Action, action('pinch', { matcher, scale: 2 })).params).toMatchObject({ durationMs: 400 })
  expect(accept(Action, action('wait_for_idle', {})).params).toEqual({ timeoutMs: 5_000 })
  expect(accept(Action, { id: 'a', type: 'wait_for_idle' }).params).toEqual({ timeoutMs: 5_000 })
})

describe('refused', () => {
  test.each([
    ['double_tap', {}, 'params'],
    ['double_tap', { matcher, coordinate }, 'params'],
    ['double_tap', { coordinate: { x: 1 } }, 'params.coordinate.y'],
    ['drag', { from: { matcher } }, 'params.to'],
    ['drag', { from: {}, to: { matcher } }, 'params.from'],
    ['drag', { from: { matcher }, to: { matcher, coordinate } }, 'params.to'],
    ['drag', { from: { matcher }, to: { matcher }, holdMs: -1 }, 'params.holdMs'],
    ['drag', { from: { matcher }, to: { matcher }, durationMs: 10_001 }, 'params.durationMs'],
    ['pinch', { matcher }, 'params.scale'],
    ['pinch', { matcher, scale: 1 }, 'params.scale'],
    ['pinch', { matcher, scale: 0 }, 'params.scale'],
    ['pinch', { scale: 2 }, 'params'],
    ['expand_shade', { shade: 'all' }, 'params.shade'],
    ['expand_shade', {}, 'params.shade'],
    ['hide_keyboard', { now: true }, 'params.now'],
    ['answer_dialog', { answer: ' ' }, 'params.answer'],
    ['answer_dialog', { answer: 'x'.repeat(201) }, 'params.answer'],
    ['wait_for_idle', { timeoutMs: 0 }, 'params.timeoutMs'],
  ])('%s %j at %s', (type, params, path) => {
    expect(complaints(Action, action(type, params))).toEqual([path])
  })
})
