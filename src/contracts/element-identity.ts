/** What was known about an element of a screen when it was found: enough to find it again, or to see that it is gone. */
import * as v from 'valibot'
import { closedObject } from './objects.ts'

/** Texts are cut to this length. */
export const ELEMENT_TEXT_CHARS_MAX = 512

const text = v.pipe(v.string(), v.maxLength(ELEMENT_TEXT_CHARS_MAX))

export const ElementIdentity = closedObject({
  className: text,
  resourceId: text,
  packageName: text,
  contentDesc: text,
  /** The text on it; empty for a field, whose text changes while it stays. */
  text,
  /** Positions among siblings, from the root: `0.3.1`. */
  path: text,
})
export type ElementIdentity = v.InferOutput<typeof ElementIdentity>
