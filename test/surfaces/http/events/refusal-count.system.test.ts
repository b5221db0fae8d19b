/** Refusals that repeat are counted: the first of a device are recorded, and then a sum when the time is over. */

import { expect, test } from 'vitest'
import { failure } from '../../../../src/contracts/failures/failures.ts'
import { REFUSALS_RECORDED } from '../../../../src/contracts/limits/limits.ts'
import type { RefusedExecution } from '../../../../src/service/parts.ts'
import { createRefusalCount } from '../../../../src/surfaces/http/events/refusal-count.ts'
import { DEVICE_CONFLICT } from '../../../support/failure-codes.ts'
import { manualClock } from '../../../support/manual-clock.ts'

const refusal = (deviceId: string, code: Parameters<typeof failure>[0] = DEVICE_CONFLICT): RefusedExecution => ({
  deviceId,
  input: {},
  result: { ok: false, error: failure(code, 'busy') },
})

const counting = () => {
  const clock = manualClock()
  const sums: RefusedExecution[] = []
  const { isRecorded } = createRefusalCount(clock, sum => sums.push(sum))
  const recorded = (times: number, ...of: Parameters<typeof refusal>) =>
    Array.from({ length: times }, () => isRecorded(refusal(...of))).filter(Boolean).length
  return { clock, sums, recorded }
}

test('the first of a device and code are recorded, the others are one sum', () => {
  const { clock, sums, recorded } = counting()
  const since = clock.now()
  expect(recorded(40, 'd1')).toBe(REFUSALS_RECORDED.count)
  expect(recorded(3, 'd2')).toBe(3)
  expect(recorded(1, 'd1', 'DEVICE_NOT_INTERACTIVE')).toBe(1)
  expect(sums).toEqual([])
  clock.advance(REFUSALS_RECORDED.withinMs)
  expect(sums).toMatchObject([
    {
      deviceId: 'd1',
      input: null,
      result: {
        error: {
          code: DEVICE_CONFLICT,
          message: '35 more requests were refused in the same way within 10 s.',
          details: { deviceId: 'd1', count: 35, since, dispatched: false },
        },
      },
    },
  ])
  expect(recorded(1, 'd1'), 'then they are recorded again').toBe(1)
})

test('names of devices without end take no more room', () => {
  const { clock, recorded } = counting()
  for (let device = 0; device < REFUSALS_RECORDED.devices; device++) expect(recorded(1, `d${device}`)).toBe(1)
  expect(recorded(1, 'one-more')).toBe(0)
  clock.advance(REFUSALS_RECORDED.withinMs)
  expect(recorded(1, 'one-more')).toBe(1)
})
