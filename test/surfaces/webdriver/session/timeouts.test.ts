import { expect, test } from 'vitest'
import { changeTimeouts, defaultTimeouts } from '../../../../src/surfaces/webdriver/session/timeouts.ts'

const changed = (given: object) => {
  const timeouts = defaultTimeouts()
  changeTimeouts(timeouts, given as never)
  return timeouts
}

test('what is given changes, and names of others are left alone', () => {
  expect(changed({ implicit: 5, script: null, 'vendor:wait': 7 })).toEqual({ ...defaultTimeouts(), implicit: 5 })
})

test.each([
  [{ implict: 1_000 }, /no timeout implict\. Did you mean implicit\?/],
  [{ page_load: 1_000 }, /Did you mean pageLoad\?/],
  [{ type: 'implicit', ms: 1_000 }, /JSON Wire/],
  [{ implicit: 1.5 }, /implicit must be a whole number/],
  [{ implicit: 600_001 }, /implicit must be at most 600000/],
])('%j changes nothing and is refused', (given, said) => {
  const timeouts = defaultTimeouts()
  expect(() => changeTimeouts(timeouts, { pageLoad: 7, ...given } as never)).toThrow(said)
  expect(timeouts).toEqual(defaultTimeouts())
})
