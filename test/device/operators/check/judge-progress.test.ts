import { describe, expect, test } from 'vitest'
import { judgeProgress } from '../../../../src/device/operators/check/judge-progress.ts'

const ids = { commandId: 'e1.0', nonce: '1'.repeat(32) }
const expected = { ...ids, taskId: 't' }

/** The envelope of a list whose steps ended so. */
const envelope = (...ends: boolean[]) => ({
  ...expected,
  status: ends.every(Boolean) ? ('success' as const) : ('failed' as const),
  stepResults: ends.map((success, at) => ({ id: `s${at}`, actionType: 'sleep', success, data: {} })),
  error: null,
})
const told = (step: number, more: object = {}, isBehindResult = false) => ({
  value: { ...ids, step, success: true, ...more },
  isBehindResult,
})

describe('progress that keeps the protocol', () => {
  test('is of all steps but the last', () => {
    expect(judgeProgress([told(0), told(1)], expected, envelope(true, true, true))).toBe(
      '2 of 3 steps were told before the result.',
    )
    expect(judgeProgress([told(0)], expected, envelope(true, false))).toMatch(/^1 of 2/)
  })

  test('may be of the last step too', () => {
    expect(judgeProgress([told(0), told(1)], expected, envelope(true, true))).toMatch(/^2 of 2/)
    expect(judgeProgress([told(0), told(1, { success: false })], expected, envelope(true, false))).toMatch(/^2 of 2/)
  })

  test('is none of a request with one step, or none that ran', () => {
    expect(judgeProgress([], expected, envelope(true))).toMatch(/^0 of 1/)
    expect(judgeProgress([], expected, envelope())).toMatch(/^0 of 0/)
  })
})

test.each([
  ['leaves out a step', [told(1)], /Step 1 was told where step 0 was due/],
  ['tells a step twice', [told(0), told(0)], /Step 0 was told where step 1 was due/],
  ['tells too few', [told(0)], /1 steps were told of 2 that others followed/],
  ['tells a step that failed as a success', [told(0), told(1), told(2)], /Step 2 was told as a success, .* a failure/],
  ['tells a step that never ran', [told(0), told(1), told(2, { success: false }), told(3)], /Step 3 .* missing/],
  ['tells a step behind the result', [told(0), told(1, {}, true)], /Step 1 was told behind the result/],
  ['has other ids', [told(0, { nonce: '2'.repeat(32) })], /other ids/],
  ['has another shape', [told(0, { success: 1 })], /success/],
  ['is no JSON', [{ value: undefined, isBehindResult: false }], /documented shape/],
])('progress that %s is a breach', (_, reports, detail) => {
  expect(() => judgeProgress(reports, expected, envelope(true, true, false))).toThrow(detail)
})
