/** The arithmetic of zooming and scrolling a picture in its box. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Frame,
  LARGEST_SCALE,
  openingScale,
  type Placement,
  placeArea,
  placeWhole,
  READABLE_SCALE,
  revealArea,
  wheelFactor,
  wholeScale,
  zoomAt,
  zoomInMiddle,
} from '../../../src/surfaces/viewer/actors/chart-scale.ts'
import { propertyRuns } from '../../support/property-runs.ts'

const frame = (width: number, height: number, boxWidth: number, boxHeight: number): Frame => ({
  picture: { width, height },
  box: { width: boxWidth, height: boxHeight },
})

const WIDE = frame(1400, 2100, 560, 448)

describe('the scale at which a chart opens', () => {
  test('is that of the whole picture while its texts have 9 pixels or more, and never larger than drawn', () => {
    expect(openingScale(frame(500, 400, 900, 700))).toBe(1)
    expect(openingScale(frame(1000, 400, 900, 700))).toBe(0.9)
    expect(11 * openingScale(frame(1100, 400, 900, 700))).toBeCloseTo(9)
  })

  test('is the smallest readable one otherwise', () => {
    expect(11 * openingScale(WIDE)).toBe(9)
    expect(wholeScale(WIDE)).toBeLessThan(READABLE_SCALE)
  })
})

describe('a placement', () => {
  test('of the whole picture needs no scrolling', () => {
    const { scale, left, top } = placeWhole(WIDE)
    expect([scale, Math.round(left), Math.round(top)]).toEqual([448 / 2100, 0, 0])
  })

  test('of an area has it in the middle, but shows nothing beyond the picture', () => {
    const middle = placeArea(1, { x: 690, y: 1000, width: 20, height: 100 }, WIDE)
    expect(middle).toEqual({ scale: 1, left: 700 - 280, top: 1050 - 224 })
    expect(placeArea(1, { x: 0, y: 0, width: 20, height: 20 }, WIDE)).toEqual({ scale: 1, left: 0, top: 0 })
    expect(placeArea(1, { x: 1380, y: 2080, width: 20, height: 20 }, WIDE)).toEqual({ scale: 1, left: 840, top: 1652 })
  })

  test('stays while an area can be seen, and has it in the middle when a part of it cannot', () => {
    const at = { scale: 1, left: 100, top: 100 }
    expect(revealArea(at, { x: 100, y: 100, width: 560, height: 448 }, WIDE)).toBe(at)
    expect(revealArea(at, { x: 640, y: 300, width: 40, height: 40 }, WIDE)).toEqual({
      scale: 1,
      left: 380,
      top: 100 - 4,
    })
  })
})

describe('zooming', () => {
  const sizes = fc.integer({ min: 200, max: 3000 })
  const places = fc.double({ min: 0, max: 1, noNaN: true })
  const scales = fc.double({ min: 0.3, max: 4, noNaN: true })

  test('keeps the point under the pointer where the picture is larger than its box', () => {
    const property = fc.property(places, places, scales, (x, y, scale) => {
      const at = { x: x * WIDE.box.width, y: y * WIDE.box.height }
      const before = placeArea(1, { x: 700, y: 1000, width: 0, height: 0 }, WIDE)
      const after = zoomAt(before, Math.max(READABLE_SCALE, scale), at, WIDE)
      const isAtEdge =
        after.left === 0 ||
        after.top === 0 ||
        after.left >= 1400 * after.scale - 560 - 1e-9 ||
        after.top >= 2100 * after.scale - 448 - 1e-9
      if (isAtEdge) return
      expect((after.left + at.x) / after.scale).toBeCloseTo((before.left + at.x) / before.scale, 6)
      expect((after.top + at.y) / after.scale).toBeCloseTo((before.top + at.y) / before.scale, 6)
    })
    fc.assert(property, { numRuns: propertyRuns(100) })
  })

  test('never leaves the picture, and ends at the whole picture and at the largest scale', () => {
    const property = fc.property(sizes, sizes, sizes, sizes, places, places, scales, (w, h, bw, bh, x, y, scale) => {
      const any = frame(w, h, bw, bh)
      const { left, top, ...after } = zoomAt(placeWhole(any), scale, { x: x * bw, y: y * bh }, any)
      expect(after.scale).toBeGreaterThanOrEqual(Math.min(READABLE_SCALE, wholeScale(any)))
      expect(after.scale).toBeLessThanOrEqual(LARGEST_SCALE)
      for (const [scrolled, shown, box] of [
        [left, w * after.scale, bw],
        [top, h * after.scale, bh],
      ] as const) {
        expect(scrolled).toBeGreaterThanOrEqual(0)
        expect(scrolled).toBeLessThanOrEqual(Math.max(0, shown - box))
      }
    })
    fc.assert(property, { numRuns: propertyRuns(100) })
    expect(zoomInMiddle(placeWhole(WIDE), 0.001, WIDE).scale).toBe(wholeScale(WIDE))
    expect(zoomInMiddle(placeWhole(WIDE), 1000, WIDE).scale).toBe(LARGEST_SCALE)
  })

  test('takes the picture along with fingers that move', () => {
    const before: Placement = { scale: 1, left: 300, top: 300 }
    expect(zoomAt(before, 1, { x: 100, y: 100 }, WIDE, { x: 140, y: 70 })).toEqual({ scale: 1, left: 260, top: 330 })
  })

  test('forwards and backwards by the wheel leads to the same scale, in pixels and in lines', () => {
    for (const deltaMode of [0, 1]) {
      expect(wheelFactor({ deltaY: 3, deltaMode }) * wheelFactor({ deltaY: -3, deltaMode })).toBeCloseTo(1)
      expect(wheelFactor({ deltaY: -3, deltaMode })).toBeGreaterThan(1)
    }
    expect(wheelFactor({ deltaY: -1e9, deltaMode: 0 })).toBeLessThan(3)
  })
})
