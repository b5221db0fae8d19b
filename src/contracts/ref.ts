/** Refs of compact snapshots: `@<screen>.<node>`, and where in an action they can stand. */

/** Neither number begins with 0, and both stay safe integers. */
export const REF = /^@[1-9]\d{0,14}\.[1-9]\d{0,8}$/

/** The params of actions that hold a matcher. */
export const MATCHER_PARAMS = ['matcher', 'container', 'labelMatcher', 'expectedNode'] as const
export type MatcherParam = (typeof MATCHER_PARAMS)[number]

export interface Ref {
  screen: number
  node: number
}

export const refOf = (screen: number, node: number): string => `@${screen}.${node}`

/** Expects a text that matches `REF`. */
export const readRef = (text: string): Ref => {
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
