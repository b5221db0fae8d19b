/** The numbers and strings of the wire shapes. No text may hold NUL or a lone surrogate, which would not reach a device. */
import * as v from 'valibot'

export const integer = (range: { min: number; max: number }) =>
  v.pipe(v.number(), v.integer(), v.minValue(range.min), v.maxValue(range.max))

export const decimal = (range: { min: number; max: number }) =>
  v.pipe(v.number(), v.minValue(range.min), v.maxValue(range.max))

/** Zero or more: milliseconds since the epoch, sizes, positions, pids. */
export const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

export const positive = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

const PLAIN = /^[^\0\p{Cs}]*$/u
const VISIBLE = /^(?=[\s\S]*\S)[^\0\p{Cs}]*$/u
const LOG = /^(?=[\s\S]*\S)(?:[^\p{Cc}\p{Cs}]|[\n\t])*$/u

const UNPRINTABLE = 'must not contain NUL or a lone surrogate'

/** Lengths count UTF-16 code units, as the device counts them. */
export const text = (min: number, max: number) =>
  v.pipe(v.string(), v.minLength(min), v.maxLength(max), v.regex(PLAIN, UNPRINTABLE))

export const unboundedText = v.pipe(v.string(), v.regex(PLAIN, UNPRINTABLE))

export const nonBlank = v.pipe(v.string(), v.regex(VISIBLE, `must not be blank, and ${UNPRINTABLE}`))

/** A path that ends in a separator names a directory, and the separator would be lost when the path is resolved. */
export const filePath = v.pipe(
  nonBlank,
  v.check(path => !path.endsWith('/'), 'must name a file, but ends with "/"'),
  v.metadata({ not: { type: 'string', pattern: '/$' } }),
)

export const visibleText = (max: number) =>
  v.pipe(v.string(), v.minLength(1), v.maxLength(max), v.regex(VISIBLE, `must not be blank, and ${UNPRINTABLE}`))

export const logText = (max: number) =>
  v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(max),
    v.regex(LOG, 'must not be blank, and must not contain a control character other than line feed and tab'),
  )
