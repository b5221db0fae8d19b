import { expect, test } from 'vitest'
import { LATEST, noFailures } from '../../../src/surfaces/viewer/overview-data.ts'

test.each([
  [0, 'Nothing has run yet.'],
  [1, 'The only execution did not fail.'],
  [3, 'None of 3 executions failed.'],
  [LATEST, 'None of the latest 100 executions failed.'],
])('an overview of %i executions without a failure says how many it has looked at', (count, words) => {
  expect(noFailures(count)).toBe(words)
})
