/** Widths on a terminal, and shortening by them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth, padded, shortened } from '../../../../src/surfaces/cli/text/visible.ts'

test.each([
  ['plain', 5],
  ['', 0],
  ['设置', 4],
  ['ｗｉｄｅ', 8],
  ['한국어', 6],
  ['e\u0301', 1],
  ['⏰', 2],
  ['👨‍👩‍👧', 2],
  ['🇩🇪', 2],
  ['✓', 1],
  ['❤', 1],
  ['❤️', 2],
  ['הגדרות', 6],
  ['\u2068a\u2069', 1],
  ['a\u200bb', 2],
])('%j takes %d columns', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

test.each([
  ['settings', 8, 'settings'],
  ['settings', 5, 'sett…'],
  ['设置网络', 5, '设置…'],
  ['设置网络', 6, '设置…'],
  ['a 👨‍👩‍👧 b', 4, 'a…'],
  ['ee\u0301e', 2, 'e…'],
  ['settings', 0, ''],
])('%j in %d columns is %j', (text, width, expected) => {
  expect(shortened(text, width)).toBe(expected)
})

test('a shortened text is never wider than its room, and a padded one fills it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, width) => {
      const short = shortened(text, width)
      expect(displayWidth(short)).toBeLessThanOrEqual(width)
      expect(displayWidth(padded(short, width))).toBe(width)
    }),
  )
})
