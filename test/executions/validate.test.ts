import { describe, expect, test } from 'vitest'
import { ACTION_TYPES } from '../../src/contracts/action.ts'
import { EXECUTION_BYTES } from '../../src/contracts/limits.ts'
import { around, clicking, deepFrozen, FULL_ACTIONS } from './payloads.ts'
import { acceptance, refusal } from './refusals.ts'

const matcher = { textEquals: 'OK' }
const step = (type: unknown, params?: unknown) => ({ id: 'open-it', type, ...(params === undefined ? {} : { params }) })

describe('accepted', () => {
  test('every type with all its params', () => {
    const execution = acceptance(around(...FULL_ACTIONS))
    expect(execution).toEqual(around(...FULL_ACTIONS))
    expect(new Set(FULL_ACTIONS.map(({ type }) => type))).toEqual(new Set(ACTION_TYPES))
  })

  test('defaults are filled in, the input is left as it is', () => {
    const input = deepFrozen(clicking({ selector: matcher }))
    expect(acceptance(input).actions).toEqual([step('click', { matcher, clickType: 'default' })])
  })

  test('an accepted execution is accepted again, unchanged', () => {
    const once = acceptance(
      around(step('tap', { node: matcher }), step('scroll'), step('press', { selector: matcher })),
    )
    expect(acceptance(once)).toEqual(once)
  })
})

describe('size', () => {
  const filler = (texts: number, length: number) => Array(texts).fill(step('show_toast', { text: 'x'.repeat(length) }))
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const sized = (bytes: number) => {
    const base = around(...filler(48, 2_000), step('show_toast', { text: 'x' }), step('show_toast', { text: 'x' }))
    const missing = bytes - bytesOf(base)
    const last = [missing - Math.floor(missing / 2), Math.floor(missing / 2)].map(more => filler(1, 1 + more)[0])
    return { ...base, actions: [...base.actions.slice(0, 48), ...last] }
  }

  test('up to 102,400 bytes are accepted', () => {
    expect(bytesOf(sized(EXECUTION_BYTES))).toBe(102_400)
    acceptance(sized(EXECUTION_BYTES))
  })

  test('one more is PAYLOAD_TOO_LARGE', () => {
    expect(refusal(sized(EXECUTION_BYTES + 1))).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'the execution is 102401 bytes of JSON, over the limit of 102400 bytes',
      details: { path: 'execution', limit: 102_400, bytes: 102_401 },
    })
  })

  test('bytes of UTF-8 count, not characters', () => {
    const wide = around(...Array(11).fill(step('show_toast', { text: 'ü'.repeat(2_048) })))
    acceptance(wide)
    expect(refusal({ ...wide, actions: Array(30).fill(wide.actions[0]) }).code).toBe('PAYLOAD_TOO_LARGE')
  })

  test.each([
    ['a huge text', around(step('show_toast', { text: 'x'.repeat(5_000_000) }))],
    ['a huge key', { ['k'.repeat(5_000_000)]: 1 }],
    ['a huge list', { ...around(), actions: Array(1_000_000).fill(0) }],
  ])('%s is refused without being measured', (_, input) => {
    expect(refusal(input)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { path: 'execution', limit: 102_400 } })
  })
})
