import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tapPoint } from '../../../src/operator/shell/tap-point.ts'
import { node } from '../../support/fake-ui-driver.ts'

test.each([
  ['the centre', [], { x: 50, y: 50 }],
  ['the centre over what takes no touches', [node({ at: [0, 0, 100, 100] })], { x: 50, y: 50 }],
  ['beside what does', [node({ clickable: true, at: [40, 0, 100, 100] })], { x: 25, y: 50 }],
  ['above what does', [node({ clickable: true, at: [0, 20, 100, 100] })], { x: 50, y: 10 }],
  ['the centre when there is no other place', [node({ clickable: true, at: [0, 0, 100, 100] })], { x: 50, y: 50 }],
] as const)('%s', (_name, children, point) => {
  expect(tapPoint(node({ children, at: [0, 0, 100, 100] }))).toEqual(point)
})

test('is always inside, whatever the bounds', () => {
  const coordinate = fc.integer({ min: -50, max: 5_000 })
  const extent = fc.integer({ min: 1, max: 3_000 })
  fc.assert(
    fc.property(coordinate, coordinate, extent, extent, (left, top, width, height) => {
      const { x, y } = tapPoint(node({ at: [left, top, left + width, top + height] }))
      expect(x >= left && x < left + width && y >= top && y < top + height).toBe(true)
    }),
  )
})
