/** Which subjects hold which others. */
import { expect, test } from 'vitest'
import { covers, overlap } from '../../../src/fleet/servers/subjects.ts'

test.each([
  ['a.b', 'a.b', true],
  ['a.b', 'a', false],
  ['a', 'a.b', false],
  ['a.*', 'a.b', true],
  ['a.*', 'a.*', true],
  ['a.b', 'a.*', false],
  ['a.*', 'a.b.c', false],
  ['a.>', 'a.b.c', true],
  ['a.>', 'a.*', true],
  ['a.>', 'a', false],
  ['a.*', 'a.>', false],
  ['>', 'a.>', true],
])('%s covers %s: %s', (pattern, subject, does) => expect(covers(pattern, subject)).toBe(does))

test.each([
  ['a.b', 'a.b', true],
  ['a.b', 'a.c', false],
  ['a.*', '*.b', true],
  ['a.>', '*.b', true],
  ['a.>', 'a', false],
  ['a.b', 'a.b.c', false],
  ['>', 'a', true],
])('%s and %s overlap: %s', (one, two, do_) => {
  expect(overlap(one, two)).toBe(do_)
  expect(overlap(two, one)).toBe(do_)
})
