/** How an action finds a node: by a matcher, whose keys must all match, or by a ref `@<screen>.<node>` of a compact snapshot. */
import * as v from 'valibot'
import { MATCHER_CHARS_MAX } from './limits.ts'
import { closedObject } from './objects.ts'
import { text } from './scalars.ts'

/** Neither number begins with 0, and both stay safe integers. */
export const REF = /^@[1-9]\d{0,14}\.[1-9]\d{0,8}$/

/** The params of actions that hold a matcher. */
export const MATCHER_PARAMS = ['matcher', 'container', 'labelMatcher', 'expectedNode'] as const
export type MatcherParam = (typeof MATCHER_PARAMS)[number]

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
  MATCHER_PARAMS.flatMap(param => {
    const matcher = params && (Reflect.get(params, param) as { ref?: string } | undefined)
    return matcher?.ref === undefined ? [] : [{ param, ref: matcher.ref }]
  })

export const hasRef = (action: WithParams): boolean => refsOf(action).length > 0

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
    ref: v.exactOptional(v.pipe(v.string(), v.regex(REF, 'is not a ref such as @12.7'))),
  }),
  v.minEntries(1, 'a matcher needs at least one key'),
  v.check(
    matcher => matcher.ref === undefined || Object.keys(matcher).length === 1,
    'a ref names one node: no other key can stand beside it',
  ),
  v.metadata({ not: { required: ['ref'], minProperties: 2 } }),
)
export type Matcher = v.InferOutput<typeof Matcher>
