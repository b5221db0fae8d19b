/** The strings of an execution payload: no NUL and no lone surrogate, which would not reach a device. */
import * as v from 'valibot'

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
