import { expect, test } from 'vitest'
import { recentMap } from '../../../src/operator/session/recent-map.ts'

test('lets go of what was not used for the longest time, and says so', () => {
  const dropped: number[] = []
  const map = recentMap<string, number>(2, value => dropped.push(value))
  map.set('a', 1)
  map.set('b', 2)
  map.get('a')
  map.set('c', 3)
  expect(dropped).toEqual([2])
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
  map.set('a', 4)
  expect(map.values()).toEqual([3, 4])
  map.delete('c')
  expect(map.values()).toEqual([4])
  expect(dropped).toEqual([2])
})
