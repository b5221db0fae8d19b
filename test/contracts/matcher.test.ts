import { expect, test } from 'vitest'
import { Matcher } from '../../src/contracts/matcher.ts'
import { accept, complaints } from './parse.ts'

const KEYS = ['resourceId', 'role', 'textEquals', 'textContains', 'contentDescEquals', 'contentDescContains']

test.each(KEYS)('%s alone is a matcher, of 1 to 512 characters', key => {
  expect(accept(Matcher, { [key]: 'x' })).toEqual({ [key]: 'x' })
  expect(complaints(Matcher, { [key]: 'x'.repeat(512) })).toEqual([])
  for (const value of ['', 'x'.repeat(513), null, 1, ['x'], 'a\0', '\udc00']) {
    expect(complaints(Matcher, { [key]: value })).toEqual([key])
  }
})

test('all keys together are one', () => {
  expect(complaints(Matcher, Object.fromEntries(KEYS.map(key => [key, ' '])))).toEqual([])
})

test('at least one key is needed, and no other is known', () => {
  expect(complaints(Matcher, {})).toEqual([''])
  expect(complaints(Matcher, { text: 'x', id: 'y' })).toEqual(['text', 'id'])
  expect(complaints(Matcher, { textEquals: 'x', nth: 0 })).toEqual(['nth'])
  for (const input of [null, 'x', [], [{ textEquals: 'x' }]]) expect(complaints(Matcher, input)).toEqual([''])
})
