/** How an action finds a node on the screen: all keys that are given must match. */
import * as v from 'valibot'
import { MATCHER_CHARS_MAX } from './limits.ts'
import { closedObject } from './objects.ts'
import { REF } from './ref.ts'
import { text } from './text.ts'

const value = text(1, MATCHER_CHARS_MAX)

export const Matcher = v.pipe(
  closedObject({
    resourceId: v.exactOptional(value),
    role: v.exactOptional(value),
    textEquals: v.exactOptional(value),
    textContains: v.exactOptional(value),
    contentDescEquals: v.exactOptional(value),
    contentDescContains: v.exactOptional(value),
    /** A node of a compact snapshot. The host puts another matcher, or a point, in its place: no operator sees it. */
    ref: v.exactOptional(v.pipe(v.string(), v.regex(REF, 'is no ref, such as @12.7'))),
  }),
  v.minEntries(1, 'a matcher needs at least one key'),
  v.check(
    matcher => matcher.ref === undefined || Object.keys(matcher).length === 1,
    'a ref names one node: no other key can stand beside it',
  ),
  v.metadata({ not: { required: ['ref'], minProperties: 2 } }),
)
export type Matcher = v.InferOutput<typeof Matcher>
