import { describe, expect, test } from 'vitest'
import { ACTION_TYPES } from '../../../src/contracts/executions/action.ts'
import { nearest } from '../../../src/runtime/text/nearest-word.ts'

const KEYS = ['resourceId', 'role', 'textEquals', 'textContains', 'contentDescEquals', 'contentDescContains']

describe('the word that was meant', () => {
  test.each([
    ['textequals', 'textEquals'],
    ['text_equals', 'textEquals'],
    ['textEqual', 'textEquals'],
    ['txetEquals', 'textEquals'],
    ['text', 'textEquals'],
    ['id', 'resourceId'],
    ['desc', 'contentDescEquals'],
    ['roles', 'role'],
  ])('%s is %s', (word, meant) => expect(nearest(word, KEYS)).toBe(meant))

  test.each(['', 'x', 'abrakadabra', 'k'.repeat(50_000), '__proto__'])('%j is none', word => {
    expect(nearest(word, KEYS)).toBeUndefined()
  })

  test('a swap of neighbours is one mistake', () => {
    expect(nearest('clcik', ACTION_TYPES)).toBe('click')
    expect(nearest('tpa', ['tap', 'type'])).toBe('tap')
  })

  test('nothing known, nothing meant', () => expect(nearest('a', [])).toBeUndefined())
})
