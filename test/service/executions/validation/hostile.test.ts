import { expect, test } from 'vitest'
import { around, clicking, nested } from '../payloads.ts'
import { refusal } from '../refusals.ts'

const matcher = { textEquals: 'OK' }
const step = (type: unknown, params?: unknown) => ({ id: 'open-it', type, ...(params === undefined ? {} : { params }) })

test.each([10_000, 100_000])('%i levels are refused', levels => {
  const lists = clicking({ matcher: { textEquals: nested(levels) } })
  expect(refusal(lists)).toMatchObject({
    code: 'EXECUTION_VALIDATION_FAILED',
    message: 'actions[0] ("open-it", click): params.matcher.textEquals is nested deeper than 64 levels',
    details: { path: 'actions.0.params.matcher.textEquals', actionId: 'open-it', actionType: 'click' },
  })
  expect(refusal(nested(levels, inner => ({ inner }))).code).toBe('EXECUTION_VALIDATION_FAILED')
  expect(refusal({ ...around(), mode: nested(levels) }).message).toContain('mode')
})

test('the place of what is too deep is readable', () => {
  const odd = 'a\0\ud800.b'.padEnd(1_000, 'c')
  const error = refusal({ ...around(), [odd]: { [odd]: nested(100) } })
  expect(error.message.length).toBeLessThan(300)
  expect(JSON.stringify(error.details).length).toBeLessThan(600)
})

test('a value that contains itself is refused', () => {
  const loop: Record<string, unknown> = { ...around() }
  loop.mode = loop
  expect(refusal(loop).message).toContain('nested deeper than 64 levels')
})

test.each([1n, Symbol('s'), () => 1])('%s is not JSON', value => {
  expect(refusal({ ...around(), mode: value }).message).toMatch(
    /^mode is a (bigint|symbol|function), which JSON does not/,
  )
})

test('keys of prototypes are keys like any other', () => {
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const extra = JSON.parse(`{"${key}":{"polluted":1}}`)
    const entries = Object.entries(extra)
    const at = (holder: object) => Object.fromEntries([...Object.entries(holder), ...entries])
    expect(refusal(at(around(step('snapshot')))).details).toMatchObject({ path: 'execution', invalidKeys: [key] })
    expect(refusal(clicking(at({ matcher }))).details).toMatchObject({ invalidKeys: [key] })
    expect(refusal(clicking({ matcher: at(matcher) })).details).toMatchObject({ invalidKeys: [key] })
    expect(refusal(around(at(step('click', { matcher })))).details).toMatchObject({
      path: 'actions.0',
      invalidKeys: [key],
    })
    expect(refusal(around(step(key))).details).toMatchObject({ path: 'actions.0.type' })
  }
  expect(Object.prototype).not.toHaveProperty('polluted')
})

test('thousands of unknown keys are named as far as that helps', () => {
  const keys = Array.from({ length: 6_000 }, (_, index) => [`k${index}`, 1])
  const error = refusal({ ...around(step('snapshot')), ...Object.fromEntries(keys) })
  expect(error.message).toBe('execution has unknown keys: "k0", "k1", "k2", "k3", "k4" and 5995 more')
  expect(error.details?.invalidKeys).toHaveLength(50)
})

test('long names are cut', () => {
  const long = 'k'.repeat(30_000)
  const error = refusal({ ...around(step('snapshot')), [long]: 1 })
  expect(JSON.stringify(error).length).toBeLessThan(1_000)
  expect(JSON.stringify(refusal(around({ id: long, type: 'x' }))).length).toBeLessThan(2_000)
  expect(JSON.stringify(refusal(around({ id: 'a', type: long }))).length).toBeLessThan(2_000)
})
