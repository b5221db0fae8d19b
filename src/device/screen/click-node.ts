/** Finds the node that takes a touch meant for another, and the point to touch; moves covers out of the way first. */

import type { Retry } from '../../contracts/actions/shape.ts'
import type { RelativePoint } from '../../contracts/actions/touch.ts'
import {
  centreOf,
  contains,
  type FoundNode,
  isOnScreen,
  type Point,
  type UiNode,
} from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { CLICK_REPEAT_DELAY_MS, CLICK_REPEATS } from '../../contracts/limits/gesture-limits.ts'
import { pause } from '../../runtime/clock.ts'
import { inSlices, type Sliced } from '../../runtime/yielding.ts'
import { mayScroll } from './container.ts'
import type { StepContext } from './context.ts'
import type { ClickType } from './driver.ts'
import { locate } from './locate.ts'
import { describeMatcher, withAncestors } from './match.ts'
import { retrying } from './retry.ts'
import { pointOfNode } from './screen-point.ts'
import { scrollGesture } from './scroll-gesture.ts'
import { StepFailure } from './step-failure.ts'
import { type Cover, findingTapPoint } from './tap-point.ts'

/** How often something is moved away before a covered node is given up. */
const FREEING_ATTEMPTS = 3
/** The pause after the keyboard was hidden or content was scrolled. */
const SETTLE_MS = 300
/** Shares of the container: a smaller movement may not scroll at all, a larger one may take the node off the screen. */
const FREEING_RATIO = { min: 0.15, max: 0.6 } as const

export interface TouchTarget {
  /** The node that takes the touch. */
  receiver: UiNode
  /** On the node that was matched. */
  point: Point
  /** Something may lie over the node there: nothing tells. */
  isUnsure?: true
}

/** Goes into the data of a step that has touched there. */
export const unsureData = ({ isUnsure }: Pick<TouchTarget, 'isUnsure'>): Record<string, string> =>
  isUnsure ? { covered_by_unknown: 'true' } : {}

interface TouchRules {
  matcher: Matcher
  /** A swipe begins on the node, whatever takes touches there. */
  clickType: ClickType | 'swipe'
  /** The node that is meant when the matcher finds one around it. */
  inside?: (found: FoundNode) => Sliced<FoundNode>
  /** The only point of the node that may be touched. */
  at?: RelativePoint | undefined
}

const nearest = (from: FoundNode, takes: (node: UiNode) => boolean): UiNode | undefined => {
  for (const { node } of withAncestors(from)) if (takes(node)) return node
  return undefined
}

/** A long click falls back to what takes a click: many lists handle both and declare one. */
const declared = (from: FoundNode, how: TouchRules['clickType']): UiNode | undefined => {
  const clickable = () => nearest(from, node => node.clickable)
  if (how === 'long_click') return nearest(from, node => node.longClickable) ?? clickable()
  if (how === 'focus') return nearest(from, node => node.focusable) ?? clickable()
  return clickable()
}

const refused = (matcher: Matcher, problem: string) =>
  new StepFailure('NODE_NOT_CLICKABLE', `the node that matches ${describeMatcher(matcher)} ${problem}`)

/**
 * With nothing clickable around it the node itself is touched: many lists handle touches and declare none. A disabled
 * node takes the touch and does nothing, so it counts as one that cannot be clicked.
 */
const receiverOf = (from: FoundNode, { clickType, matcher }: TouchRules): UiNode => {
  if (clickType === 'swipe') return from.node
  const node = declared(from, clickType) ?? (clickType === 'focus' ? undefined : from.node)
  if (!node) throw refused(matcher, 'cannot be focused, and neither can any node around it')
  if (!node.enabled) throw refused(matcher, 'is disabled')
  return node
}

const scrollFree = async (found: FoundNode, { bounds }: Cover, { driver }: StepContext): Promise<boolean> => {
  const container = found.parent && nearest(found.parent, node => node.scrollable && isOnScreen(node))
  if (!container || !mayScroll(container, 'down')) return false
  const direction = centreOf(bounds).y >= centreOf(found.node.bounds).y ? 'down' : 'up'
  const hidden = bounds.bottom - bounds.top + (found.node.bounds.bottom - found.node.bounds.top)
  const extent = container.bounds.bottom - container.bounds.top
  const ratio = Math.min(Math.max(hidden / extent, FREEING_RATIO.min), FREEING_RATIO.max)
  const { start, end, durationMs } = scrollGesture(container.bounds, direction, ratio)
  return await driver.swipe(start, end, durationMs)
}

/** False when it cannot be moved away. */
const moveAway = async (found: FoundNode, cover: Cover, context: StepContext, isHiding: boolean): Promise<boolean> => {
  const { driver, clock, signal } = context
  // A second Back would leave the screen: a keyboard that is still going is waited for.
  const hideKeyboard = async () => isHiding || (await driver.pressKey('back'))
  const isMoving = cover.kind === 'keyboard' ? await hideKeyboard() : await scrollFree(found, cover, context)
  if (isMoving) await pause(clock, SETTLE_MS, signal)
  signal.throwIfAborted()
  return isMoving
}

/** Finds the point to touch on the screen as it is now. `known` is the node as it was seen just before. */
export const findTouch = async (rules: TouchRules, context: StepContext, known?: FoundNode): Promise<TouchTarget> => {
  const { matcher, inside, at } = rules
  const { covers } = context.driver
  let seen = known
  let isHiding = false
  for (let attempt = 0; ; attempt++) {
    const matched = seen ?? (await locate(matcher, context))
    const found = inside ? await inSlices(inside(matched), context) : matched
    seen = undefined
    const receiver = receiverOf(found, rules)
    const wanted = at && pointOfNode(found.node.bounds, at)
    if (wanted && !contains(found.node.bounds, wanted)) throw refused(matcher, `has no point ${at.x},${at.y}`)
    const aimed = await inSlices(findingTapPoint(found, receiver, await covers?.(), wanted), context)
    if (aimed.point) {
      // An operator that clicks nodes, and not places, reaches what is covered too.
      return { receiver, point: aimed.point, ...(aimed.isUnsure && covers ? { isUnsure: true } : {}) }
    }
    if (!covers && (receiver.clickable || receiver.longClickable))
      return { receiver, point: wanted ?? centreOf(found.node.bounds) }
    if (!aimed.coveredBy) throw refused(matcher, 'is outside of the screen')
    const isFreed = attempt < FREEING_ATTEMPTS && (await moveAway(found, aimed.coveredBy, context, isHiding))
    isHiding ||= aimed.coveredBy.kind === 'keyboard'
    if (!isFreed) throw refused(matcher, `is covered by ${aimed.coveredBy.name}`)
  }
}

/** The params of clicks that operator apps do not know. */
export interface TapRules {
  holdMs?: number | undefined
  repeat?: number | undefined
  repeatDelayMs?: number | undefined
}

interface ClickRules extends Pick<TouchRules, 'matcher' | 'at'>, TapRules {
  clickType: ClickType
  clickRetry?: Retry | undefined
}

/** Each as long after the one before as the rules say, or as soon as the device has taken that one. */
export const tapInRow = async (
  tap: () => Promise<boolean>,
  { repeat = CLICK_REPEATS.default, repeatDelayMs = CLICK_REPEAT_DELAY_MS.default }: TapRules,
  { clock, signal }: StepContext,
): Promise<boolean> => {
  for (let count = 1; ; count++) {
    const begun = clock.elapsed()
    if (!(await tap())) return false
    if (count >= repeat) return true
    await pause(clock, Math.max(0, repeatDelayMs - (clock.elapsed() - begun)), signal)
    signal.throwIfAborted()
  }
}

/** `known` is where the node was seen just now; a second attempt looks again. Resolves to what the data of the step say of it. */
export const clickNode = (
  rules: ClickRules,
  context: StepContext,
  known?: FoundNode,
): Promise<Record<string, string>> => {
  const { matcher, clickType, clickRetry, at, holdMs, repeat } = rules
  const { driver } = context
  let seen = known
  return retrying(clickRetry, context, async () => {
    const from = seen
    seen = undefined
    const { receiver, point, ...doubt } = await findTouch({ matcher, clickType, at }, context, from)
    const isPlain = clickType === 'focus' || (at === undefined && holdMs === undefined && repeat === undefined)
    const touch = () => (isPlain ? driver.click(receiver, clickType, point) : driver.tap(point, clickType, holdMs))
    if (await tapInRow(touch, rules, context)) return unsureData(doubt)
    throw new StepFailure('GESTURE_FAILED', `the system refused the ${clickType === 'default' ? 'click' : clickType}`)
  })
}
