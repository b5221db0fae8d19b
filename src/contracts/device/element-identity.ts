/** What was known about an element of a screen when it was found: enough to find it again, or to see that it is gone. */
import * as v from 'valibot'
import { closedObject } from '../json/objects.ts'
import { text } from '../json/scalars.ts'

/** Texts are cut to this length. */
export const ELEMENT_TEXT_CHARS_MAX = 512
/** So many words of a screen are remembered with an element. */
export const ELEMENT_WORDS_MAX = 32

const shortText = text(0, ELEMENT_TEXT_CHARS_MAX)
/** A digest of texts, or of a part of the tree. */
const digest = v.pipe(v.string(), v.regex(/^[0-9a-z]{1,16}$/, 'is no digest'))
const words = v.pipe(v.array(digest), v.maxLength(ELEMENT_WORDS_MAX))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const pixels = v.pipe(v.number(), v.safeInteger())

/** What tells a node apart from all others of its screen, the strongest first. */
export const ELEMENT_MARKS = ['looks', 'hint', 'row', 'label', 'place'] as const

export const ElementIdentity = closedObject({
  className: shortText,
  resourceId: shortText,
  packageName: shortText,
  contentDesc: shortText,
  /** The text on it; empty for a field, whose text changes while it stays. */
  text: shortText,
  /** What a field shows while it is empty, where that is known. */
  hint: v.exactOptional(shortText),
  /** The classes and ids of the nodes around it. */
  around: digest,
  toldBy: v.picklist(ELEMENT_MARKS),
  /** The row of a list that it is in. */
  row: v.exactOptional(
    closedObject({
      /** A row of its own in a list, and no section of a page. */
      isOfList: v.boolean(),
      title: v.exactOptional(digest),
      /** All of its words with letters. */
      names: digest,
      words,
      path: digest,
      /** Everything outside of the row. */
      others: digest,
    }),
  ),
  /** The nearest words before it. */
  label: v.exactOptional(digest),
  /** Words with letters, figures left out, in the order of the screen; in each part those nearest to the node. */
  context: closedObject({
    /** Before it, outside of what scrolls around it. */
    heading: words,
    /** Before it, in what scrolls around it, or on a screen that does not scroll. */
    before: words,
    within: words,
    /** Behind it, in its own section. */
    after: words,
  }),
  /** Its place among the nodes that look alike. */
  place: closedObject({
    nth: count,
    of: count,
    /** The same among those that nothing but their places tells apart. */
    nthAlike: count,
    alike: count,
    /** What is in the node around all of these. */
    layout: digest,
    /** Where it lies in what scrolls around it. */
    offset: v.exactOptional(closedObject({ x: pixels, y: pixels })),
  }),
  screen: closedObject({
    isDialog: v.boolean(),
    /** Words outside of all that scrolls. */
    fixed: words,
    /** Words in what scrolls around the node. */
    scrolled: words,
  }),
})
export type ElementIdentity = v.InferOutput<typeof ElementIdentity>
