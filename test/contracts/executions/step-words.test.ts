/** The words for what is known of a step: who told it, when, and since what that is counted. */
import { describe, expect, test } from 'vitest'
import { stepWords } from '../../../src/contracts/executions/step-words.ts'
import { decidedBy, isoTime, toldBy } from '../../../src/contracts/executions/told-by.ts'
import { receiptOf, resultOf } from '../../support/runtime/records.ts'

const AT = Date.UTC(2026, 0, 2, 12, 0, 0)
const clockTime = (at: number) => isoTime(at).slice(11, 19)
const lost = receiptOf('e1', {
  ...{ state: 'interrupted', dispatchedAt: AT - 9_500, settledAt: AT - 1_000 },
  result: resultOf('lost'),
})

describe('a step', () => {
  test.each([
    ['result', undefined],
    ['progress', 'recorded at 12:00:00 as it ended'],
    ['operator', 'told by the phone at 12:00:00'],
    ['log', 'read in the log of the phone at 12:00:00'],
  ] as const)('by %s', (source, words) => {
    expect(toldBy({ source, at: AT }, clockTime)).toBe(words)
  })

  test('of which nobody says when it became known', () => {
    expect(toldBy({ source: 'operator' }, clockTime)).toBe('told by the phone')
  })

  test('that failed, and one behind it', () => {
    const steps = [
      { id: 'tap', actionType: 'click', outcome: 'failed', source: 'operator', at: AT },
      { id: 'back', actionType: 'press_key', outcome: 'not_run' },
    ] as const
    const words = steps.map((step, position) =>
      stepWords(step, { position, receipt: { ...lost, steps: [...steps] }, time: clockTime }),
    )
    expect(words).toEqual(['failed, told by the phone at 12:00:00', 'not run'])
  })
})

describe('the whole', () => {
  test.each([
    ['progress', 'by the record that svc kept of its steps'],
    ['operator', 'told by the phone at 12:00:00, 9.5 s after it was sent'],
    ['log', 'read in the log of the phone at 12:00:00, 9.5 s after it was sent'],
  ] as const)('by %s, on whatever machine and whether or not its process lived', (source, words) => {
    const evidence = { source, at: AT, outcome: 'done' } as const
    for (const more of [{}, { state: 'settled' as const }, { host: 'b' }])
      expect(decidedBy({ ...lost, ...more, evidence }, clockTime)).toBe(words)
  })

  test('is not decided by evidence on some of its steps', () => {
    expect(decidedBy({ ...lost, evidence: { source: 'operator', at: AT } }, clockTime)).toBeUndefined()
    expect(decidedBy(lost, clockTime)).toBeUndefined()
  })
})
