/** Patterns are checked before a step is sent; one that is not matches nothing, and ends nothing. */
import { expect, test } from 'vitest'
import { labelPattern } from '../../../../src/device/screen/patterns/label-pattern.ts'

test('a pattern that cannot be read matches nothing', () => {
  expect(['', '(', 'a'].map(labelPattern('('))).toEqual([false, false, false])
})

test('a start in the middle of a label is none', () => {
  expect(['ab', 'b'].map(labelPattern('a?^b'))).toEqual([false, true])
})
