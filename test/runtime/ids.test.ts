/** Ids are UUIDs of version 7: they tell when they were made, sort by it, and are never the same. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemIds } from '../../src/runtime/ids.ts'

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('an id has the form of the version, and its time in front', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), now => {
      const [, high, low] = UUID_V7.exec(systemIds().at(now)) ?? []
      expect(Number.parseInt(`${high}${low}`, 16)).toBe(now)
    }),
  )
})

test('ids of the same time differ, and those of a later time sort after them', () => {
  const ids = Array.from({ length: 1_000 }, () => systemIds().at(1_800_000_000_000))
  expect(new Set(ids).size).toBe(1_000)
  const later = systemIds().at(1_800_000_000_001)
  expect(ids.every(id => id < later)).toBe(true)
})
