/** How an action finds a node on the screen: all keys that are given must match. */
import * as v from 'valibot'
import { MATCHER_CHARS_MAX } from './limits.ts'
import { closedObject } from './objects.ts'
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
  }),
  v.minEntries(1, 'a matcher needs at least one key'),
)
export type Matcher = v.InferOutput<typeof Matcher>
