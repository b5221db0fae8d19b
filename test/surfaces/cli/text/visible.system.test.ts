/** Text of others is harmless on a terminal, and still says what it said. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isolated, safe, visible, visibleLines, withLabels } from '../../../../src/surfaces/cli/text/visible.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const CONTROL = /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

test.each([
  ['\x1b[31mred', '\\e[31mred'],
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\x9b2J\x07', '\\x9b2J\\x07'],
  ['\u202egnp', '\\u202egnp'],
  ['👨‍👩‍👧 设置', '👨‍👩‍👧 设置'],
])('%j is %j', (text, expected) => {
  expect(visible(text)).toBe(expected)
})

test('lines and tabs of a text of several lines stay', () => {
  expect(visibleLines('a\r\n\tb\r\x1bc')).toBe('a\n\tb\\r\\ec')
})

test('no control character of any text is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(visible(text)).not.toMatch(CONTROL)
      expect(visibleLines(text).replace(/[\n\t]/g, '')).not.toMatch(CONTROL)
    }),
  )
})

test('text from right to left is isolated, and other text is as it was', () => {
  expect(isolated('שלום')).toBe('\u2068שלום\u2069')
  expect(isolated('hello 设置')).toBe('hello 设置')
  expect(withLabels('button "שלום" on "OK"')).toBe('button \u2068"שלום"\u2069 on "OK"')
})

test('the values of a template are visible, and one that is missing is left out', () => {
  expect(safe`on ${'a\x1b'} in ${3}${undefined}.`).toBe('on a\\e in 3.')
})
