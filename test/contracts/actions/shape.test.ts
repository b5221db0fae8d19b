import { expect, test } from 'vitest'
import { Retry } from '../../../src/contracts/actions/shape.ts'
import { accept, complaints } from '../parse.ts'

const WHOLE = [
  ['maxAttempts', 1, 10],
  ['initialDelayMs', 0, 30_000],
  ['maxDelayMs', 0, 60_000],
] as const
const DECIMAL = [
  ['backoffMultiplier', 1, 5],
  ['jitterRatio', 0, 1],
] as const

test.each(WHOLE)('%s is an integer from %i to %i', (key, min, max) => {
  for (const value of [min, max]) expect(accept(Retry, { [key]: value })).toEqual({ [key]: value })
  for (const value of [min - 1, max + 1, min + 0.5, '1', null])
    expect(complaints(Retry, { [key]: value })).toEqual([key])
})

test.each(DECIMAL)('%s is a number from %i to %i', (key, min, max) => {
  for (const value of [min, min + 0.25, max]) expect(accept(Retry, { [key]: value })).toEqual({ [key]: value })
  for (const value of [min - 0.01, max + 0.01, '1', null]) expect(complaints(Retry, { [key]: value })).toEqual([key])
})

test('nothing else is known', () => {
  expect(complaints(Retry, {})).toEqual([])
  expect(complaints(Retry, { attempts: 3 })).toEqual(['attempts'])
  expect(complaints(Retry, [])).toEqual([''])
})
