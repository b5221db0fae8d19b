import { expect, test } from 'vitest'
import { rangeIn } from '../../../src/surfaces/http/routes/videos.ts'

test.each([
  [undefined, 'all'],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=99-99', { start: 99, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=100-', 'outside'],
  ['bytes=-0', 'outside'],
  ['bytes=9-3', 'all'],
  ['bytes=-', 'all'],
  ['bytes=0-1,5-6', 'all'],
  ['lines=0-1', 'all'],
  ['bytes=1e3-', 'all'],
] as const)('%s of 100 bytes', (header, expected) => {
  expect(rangeIn(header, 100)).toEqual(expected)
})

test('of nothing there is no part', () => {
  expect(rangeIn('bytes=0-', 0)).toBe('outside')
})
