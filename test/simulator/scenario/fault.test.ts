import { expect, test } from 'vitest'
import { FAULT_KINDS, parseFaults } from '../../../src/simulator/scenario/fault.ts'

test.each(FAULT_KINDS)('%s is known', kind => {
  const faults = [{ after: 2, do: kind, times: 1 }]
  expect(parseFaults([{ after: 2, do: kind }])).toEqual({ ok: true, faults })
})

test('after and times may be left out, ms stays', () => {
  const faults = [{ after: 0, do: 'late', ms: 5, times: 1 }]
  expect(parseFaults([{ do: 'late', ms: 5 }])).toEqual({ ok: true, faults })
})

test.each<[unknown, string]>([
  [{ after: 1, do: 'late' }, '(top): must be a list, found an object'],
  [[{ after: -1, do: 'late' }], '/0/after: must be at least 0, found -1'],
  [[{ after: 0.5, do: 'late' }], '/0/after: must be an integer, found 0.5'],
  [[{ after: 0 }], '/0/do: is missing'],
  [[{ after: 0, do: 'no-results' }], 'found "no-results"; did you mean `no-result`?'],
  [[{ after: 0, do: 'late', times: 0 }], '/0/times: must be at least 1, found 0'],
  [[{ after: 0, do: 'late', ms: '5' }], '/0/ms: must be a number, found "5"'],
  [[{ after: 0, do: 'late', tims: 1 }], '/0/tims: `tims` is not known here'],
])('%j is refused', (json, error) => {
  expect(parseFaults(json)).toMatchObject({ ok: false, error: expect.stringContaining(error) })
})
