/** A selector of a flow: which node of a screen a command means. Matched on the host, over one screen at a time. */
import * as v from 'valibot'
import { closedObject } from '../json/objects.ts'
import { text } from '../json/scalars.ts'

/** Kinds of nodes by their looks: with a text, as wide as high, or with a text of more than 200 characters. */
export const TRAITS = ['text', 'square', 'long-text'] as const

export const FLOW_PATTERN_CHARS_MAX = 10_000
export const SELECTOR_LEVELS_MAX = 8

interface SelectorShape {
  text?: string
  id?: string
  css?: string
  width?: number
  height?: number
  tolerance?: number
  enabled?: boolean
  selected?: boolean
  checked?: boolean
  focused?: boolean
  traits?: (typeof TRAITS)[number][]
  index?: number
  below?: SelectorShape
  above?: SelectorShape
  leftOf?: SelectorShape
  rightOf?: SelectorShape
  childOf?: SelectorShape
  containsChild?: SelectorShape
  containsDescendants?: SelectorShape[]
  webElements?: boolean
}

const writing = text(0, FLOW_PATTERN_CHARS_MAX)
const pattern = v.exactOptional(writing)
const size = v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)))
const flag = v.exactOptional(v.boolean())
const other = v.exactOptional(v.lazy((): v.GenericSchema<SelectorShape> => Selector))

const Selector = v.pipe(
  closedObject({
    /** A regular expression over the whole text, hint or description, in any case; or literally one of these. */
    text: pattern,
    /** A regular expression over the whole resource id, or over what follows its last slash, in any case. */
    id: pattern,
    /** A css selector of the page in a web view of the app in front. */
    css: v.exactOptional(writing),
    width: size,
    height: size,
    tolerance: size,
    enabled: flag,
    selected: flag,
    checked: flag,
    focused: flag,
    traits: v.exactOptional(v.array(v.picklist(TRAITS))),
    /** Over the matches from top to bottom, then from left to right; negative from the end. */
    index: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
    below: other,
    above: other,
    leftOf: other,
    rightOf: other,
    childOf: other,
    containsChild: other,
    containsDescendants: v.exactOptional(v.array(v.lazy((): v.GenericSchema<SelectorShape> => Selector))),
    /** In the outermost selector: the elements of the pages in web views count as nodes, for all keys. */
    webElements: flag,
  }),
  v.minEntries(1, 'a selector needs at least one key'),
  v.check(
    selector => selector.webElements === undefined || Object.keys(selector).length > 1,
    'webElements says where to look: another key is needed',
  ),
)

const levelsOf = (selector: SelectorShape): number => {
  const others = [
    selector.below,
    selector.above,
    selector.leftOf,
    selector.rightOf,
    selector.childOf,
    selector.containsChild,
    ...(selector.containsDescendants ?? []),
  ]
  return 1 + Math.max(0, ...others.map(one => (one === undefined ? 0 : levelsOf(one))))
}

export const FlowSelector = v.pipe(
  Selector,
  v.check(
    selector => levelsOf(selector) <= SELECTOR_LEVELS_MAX,
    `a selector may have at most ${SELECTOR_LEVELS_MAX} levels`,
  ),
)
export type FlowSelector = SelectorShape
