/** How an action finds a node: by a matcher, whose keys must all match, or by a ref `@<screen>.<node>` of a compact snapshot. */
import * as v from 'valibot'
import { ElementIdentity } from '../device/element-identity.ts'
import { PageElement } from '../device/page-element.ts'
import { FlowSelector } from '../flows/flow-selector.ts'
import { closedObject } from '../json/objects.ts'
import { integer, text } from '../json/scalars.ts'
import { MATCHER_CHARS_MAX } from '../limits/limits.ts'
import { MATCHER_INDEX } from '../limits/matcher-limits.ts'

/** Neither number begins with 0, and both stay safe integers. */
export const REF = /^@[1-9]\d{0,14}\.[1-9]\d{0,8}$/

/** The params of actions that hold a matcher. */
export const MATCHER_PARAMS = ['matcher', 'container', 'labelMatcher', 'expectedNode'] as const
/** The params of drag, each a matcher or a point in an object of its own. */
export const PLACE_PARAMS = ['from', 'to'] as const
export type MatcherParam = (typeof MATCHER_PARAMS)[number] | (typeof PLACE_PARAMS)[number]

export const refOf = (screen: number, node: number): string => `@${screen}.${node}`

/** Expects a text that matches `REF`. */
export const readRef = (text: string): { screen: number; node: number } => {
  const [screen = 0, node = 0] = text.slice(1).split('.').map(Number)
  return { screen, node }
}

interface WithParams {
  params?: object | undefined
}

/** Each matcher of the action that is a ref. */
export const refsOf = ({ params }: WithParams): { param: MatcherParam; ref: string }[] =>
  [...MATCHER_PARAMS, ...PLACE_PARAMS].flatMap(param => {
    const holder = params && (Reflect.get(params, param) as { ref?: string; matcher?: { ref?: string } } | undefined)
    const ref = isPlaceParam(param) ? holder?.matcher?.ref : holder?.ref
    return ref === undefined ? [] : [{ param, ref }]
  })

export const isPlaceParam = (param: MatcherParam): param is (typeof PLACE_PARAMS)[number] =>
  param === 'from' || param === 'to'

/** The value of a param that holds this matcher. */
export const paramOf = (param: MatcherParam, matcher: Matcher): Matcher | { matcher: Matcher } =>
  isPlaceParam(param) ? { matcher } : matcher

export const hasRef = (action: WithParams): boolean => refsOf(action).length > 0

const value = text(1, MATCHER_CHARS_MAX)
const flag = v.exactOptional(v.boolean())

/** The keys that are about one node. */
const ownKeys = {
  resourceId: v.exactOptional(value),
  role: v.exactOptional(value),
  textEquals: v.exactOptional(value),
  textContains: v.exactOptional(value),
  /** A regular expression over the whole label, in any case; a dot takes line breaks. It is read when an execution is checked. */
  textMatches: v.exactOptional(value),
  contentDescEquals: v.exactOptional(value),
  contentDescContains: v.exactOptional(value),
  enabled: flag,
  checked: flag,
  selected: flag,
  focused: flag,
}
const index = v.exactOptional(integer(MATCHER_INDEX))

const NO_KEY = 'a matcher needs at least one key'
const INDEX_ALONE = 'index chooses among the nodes that other keys match: one of these is needed'
/** The same rule for JSON Schema. */
// biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
const INDEX_NOT_ALONE = { if: { required: ['index'] }, then: { type: 'object' as const, minProperties: 2 } }
const isIndexAlone = (matcher: object) => 'index' in matcher && Object.keys(matcher).length === 1

/** The other node of a relation. */
export const RelatedMatcher = v.pipe(
  closedObject({ ...ownKeys, index }),
  v.minEntries(1, NO_KEY),
  v.check(matcher => !isIndexAlone(matcher), INDEX_ALONE),
  v.metadata(INDEX_NOT_ALONE),
)
export type RelatedMatcher = v.InferOutput<typeof RelatedMatcher>

export const RELATIONS = ['below', 'above', 'leftOf', 'rightOf', 'childOf', 'containsChild'] as const
export type Relation = (typeof RELATIONS)[number]

const related = v.exactOptional(RelatedMatcher)

export const Matcher = v.pipe(
  closedObject({
    ...ownKeys,
    below: related,
    above: related,
    leftOf: related,
    rightOf: related,
    childOf: related,
    containsChild: related,
    index,
    /** A node of a compact snapshot. The host puts another matcher, or a point, in its place: no operator sees it. */
    ref: v.exactOptional(v.pipe(v.string(), v.regex(REF, 'is not a ref such as @12.7'))),
    /** A selector as flows write it, with rules of its own. */
    flow: v.exactOptional(FlowSelector),
    /** An element that was found on an earlier screen, as it was then. */
    element: v.exactOptional(ElementIdentity),
    /** An element of a page in a web view, which brings it into view. */
    pageElement: v.exactOptional(PageElement),
  }),
  v.minEntries(1, NO_KEY),
  v.check(matcher => !isIndexAlone(matcher), INDEX_ALONE),
  v.check(
    matcher => matcher.ref === undefined || Object.keys(matcher).length === 1,
    'a ref names one node: no other key can stand beside it',
  ),
  v.check(
    matcher => matcher.flow === undefined || Object.keys(matcher).length === 1,
    'a selector of a flow has keys of its own: no other key can stand beside it',
  ),
  v.check(
    matcher => matcher.element === undefined || Object.keys(matcher).length === 1,
    'an element is one node: no other key can stand beside it',
  ),
  v.check(
    matcher => matcher.pageElement === undefined || Object.keys(matcher).length === 1,
    'an element of a page is one node: no other key can stand beside it',
  ),
  v.metadata({
    not: {
      anyOf: [{ required: ['ref'] }, { required: ['flow'] }, { required: ['element'] }, { required: ['pageElement'] }],
      minProperties: 2,
    },
    ...INDEX_NOT_ALONE,
  }),
)
export type Matcher = v.InferOutput<typeof Matcher>
