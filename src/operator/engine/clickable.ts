/** Which node takes a click that is meant for another: the node itself, or the nearest around it that can. */
import type { Matcher } from '../../contracts/matcher.ts'
import type { Retry } from '../../contracts/retry.ts'
import type { StepContext } from './context.ts'
import type { ClickType } from './driver.ts'
import { locate } from './locate.ts'
import { describeMatcher, type FoundNode, outwards } from './match.ts'
import { retrying } from './retry.ts'
import { StepFailure } from './step-failure.ts'
import type { UiNode } from './ui-tree.ts'

const nearest = (from: FoundNode, takes: (node: UiNode) => boolean): UiNode | undefined => {
  for (const { node } of outwards(from)) if (takes(node)) return node
  return undefined
}

/** A long click falls back to what takes a click: many lists handle both and declare one. */
const receiver = (from: FoundNode, how: ClickType): UiNode | undefined => {
  const clickable = () => nearest(from, node => node.clickable)
  if (how === 'long_click') return nearest(from, node => node.longClickable) ?? clickable()
  if (how === 'focus') return nearest(from, node => node.focusable) ?? clickable()
  return clickable()
}

/** A disabled node swallows the touch and does nothing, so it counts as one that cannot be clicked. */
export const clickReceiver = (from: FoundNode, how: ClickType, matcher: Matcher): UiNode => {
  const node = receiver(from, how)
  const problem = !node ? 'and nothing around it can be clicked' : node.enabled ? undefined : 'is disabled'
  if (node && problem === undefined) return node
  throw new StepFailure('NODE_NOT_CLICKABLE', `the node that matches ${describeMatcher(matcher)} ${problem}`)
}

export interface ClickRules {
  matcher: Matcher
  clickType: ClickType
  clickRetry?: Retry | undefined
}

/** `known` is where the node was seen just now; a second attempt looks again. */
export const clickNode = (rules: ClickRules, context: StepContext, known?: FoundNode): Promise<void> => {
  const { matcher, clickType, clickRetry } = rules
  let seen = known
  return retrying(clickRetry, context, async () => {
    const found = seen ?? (await locate(matcher, context))
    seen = undefined
    const node = clickReceiver(found, clickType, matcher)
    if (await context.driver.click(node, clickType)) return
    throw new StepFailure('GESTURE_FAILED', `the system refused the ${clickType === 'default' ? 'click' : clickType}`)
  })
}
