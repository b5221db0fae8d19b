/** The end of a text is cut off in a time that grows with its length alone. */
import { expect, test } from 'vitest'
import { withoutEnd, withoutFullStop } from '../../../src/runtime/text/without-end.ts'

test.each([
  ['It failed. \n..', 'It failed'],
  ['a . b', 'a . b'],
  ['...', ''],
  ['', ''],
])('%j without a full stop is %j', (text, expected) => expect(withoutFullStop(text)).toBe(expected))

test('only what ends the text goes', () => expect(withoutEnd('\na\n\nb\n\n', /\n/)).toBe('\na\n\nb'))

// A pattern would take minutes.
test('a megabyte of blanks within a text is passed over', () => {
  const text = `${' '.repeat(1_000_000)}x`
  expect(withoutFullStop(text)).toHaveLength(1_000_001)
})
