/** The kinds of number that the wire shapes use. */
import * as v from 'valibot'

export const integer = (range: { min: number; max: number }) =>
  v.pipe(v.number(), v.integer(), v.minValue(range.min), v.maxValue(range.max))

export const decimal = (range: { min: number; max: number }) =>
  v.pipe(v.number(), v.minValue(range.min), v.maxValue(range.max))

/** Zero or more: milliseconds since the epoch, sizes, positions, pids. */
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

export const positive = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
