/** scroll, scroll_until and scroll_and_click. */

import type { Retry } from '../../contracts/actions/shape.ts'
import { type FoundNode, labelOf, type UiNode, type UiTree, walk } from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { SCROLL_STILL_THRESHOLD } from '../../contracts/limits/limits.ts'
import { pause } from '../../runtime/clock.ts'
import { inSlices, PIECE, type Sliced } from '../../runtime/yielding.ts'
import { clickNode } from '../screen/click-node.ts'
import { type ContainerRules, findingContainer } from '../screen/container.ts'
import type { Step, StepContext } from '../screen/context.ts'
import { findIn, look, missing, treeFor, treeOf, withUnseen } from '../screen/locate.ts'
import { retrying } from '../screen/retry.ts'
import { screenSize } from '../screen/screen-point.ts'
import { scrollGesture } from '../screen/scroll-gesture.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { type SightRules, sightOf } from '../screen/visible-share.ts'
import type { Performers } from './performer.ts'
import { endFrom } from './swipe.ts'

/** A finger from the middle of the screen, unless the step says how fast. */
const SCREEN_SWIPE_MS = 400

interface ScrollRules extends ContainerRules {
  distanceRatio: number
  settleDelayMs: number
  scrollRetry?: Retry | undefined
  /** The target, where there is one. */
  matcher?: Matcher | undefined
  wholeScreen?: boolean | undefined
  swipeDurationMs?: number | undefined
}

interface Scrolled {
  moved: boolean
  /** The screen afterwards. */
  tree: UiTree | undefined
}

/** The content and its bounds: rows of one height may all change places with no bounds changed, or move by a pixel. */
const visibleContent = function* (nodes: readonly UiNode[]): Sliced<string> {
  const lines: string[] = []
  for (const { node } of walk(nodes)) {
    if (lines.length % PIECE === 0) yield
    const { left, top, right, bottom } = node.bounds
    lines.push(JSON.stringify([node.resourceId, node.className, labelOf(node), left, top, right, bottom]))
  }
  return lines.join('\n')
}

/** The nodes that move, as far as can be told before. */
const scrolledNodes = function* (tree: UiTree | undefined, rules: ScrollRules): Sliced<readonly UiNode[]> {
  if (rules.wholeScreen) return tree?.roots ?? []
  return (yield* findingContainer(tree, rules)).children
}

/** The finger goes against the direction in which the content is seen to go on. */
const FINGER_WAY = { down: 'up', up: 'down', left: 'right', right: 'left' } as const

const screenGesture = async ({ direction }: ScrollRules, context: StepContext) => {
  const size = await screenSize(context)
  const start = { x: Math.floor(size.width / 2), y: Math.floor(size.height / 2) }
  return { start, end: endFrom(start, FINGER_WAY[direction], size), durationMs: SCREEN_SWIPE_MS }
}

const gestureFor = async (tree: UiTree, rules: ScrollRules, context: StepContext) => {
  if (rules.wholeScreen) return await screenGesture(rules, context)
  const { bounds } = await inSlices(findingContainer(tree, rules), context)
  return scrollGesture(bounds, rules.direction, rules.distanceRatio)
}

/** Undefined when the container is gone: then the screen has moved on. */
const contentAfter = function* (tree: UiTree | undefined, rules: ScrollRules): Sliced<string | undefined> {
  try {
    return yield* visibleContent(yield* scrolledNodes(tree, rules))
  } catch (error) {
    if (error instanceof StepFailure) return undefined
    throw error
  }
}

/** `known` is the screen as it is now, when the caller has it already. */
const scrollOnce = async (rules: ScrollRules, context: StepContext, known?: UiTree): Promise<Scrolled> => {
  const { driver, clock, signal } = context
  let seen = known
  const before = await retrying(rules.scrollRetry, context, async () => {
    const tree = seen ?? (await treeOf(context, treeFor(rules.matcher, rules.container)))
    seen = undefined
    const { start, end, durationMs } = await gestureFor(tree, rules, context)
    if (!(await driver.swipe(start, end, rules.swipeDurationMs ?? durationMs))) {
      throw new StepFailure('GESTURE_FAILED', 'the system refused the swipe that scrolls')
    }
    return await inSlices(contentAfter(tree, rules), context)
  })
  await pause(clock, rules.settleDelayMs, signal)
  const { tree } = await look(context, treeFor(rules.matcher, rules.container))
  return { moved: (await inSlices(contentAfter(tree, rules), context)) !== before, tree }
}

/**
 * Why scrolling ended: the target is on the screen; the content moved and then no more; so many scrolls; so long; the
 * content never moved at all.
 */
const TERMINATION_REASONS = [
  'target_found',
  'edge_reached',
  'max_scrolls',
  'max_duration',
  'no_position_change',
] as const
type TerminationReason = (typeof TERMINATION_REASONS)[number]

interface LoopRules extends ScrollRules, SightRules {
  maxScrolls: number
  /** In epoch ms. */
  until: number
  /** How many scrolls in a row may move nothing. */
  stillThreshold: number
}

interface LoopEnd {
  reason: TerminationReason
  scrolls: number
  target: FoundNode | undefined
  /** The screen in the end. */
  tree: UiTree | undefined
}

const scrollLoop = async (rules: LoopRules, context: StepContext): Promise<LoopEnd> => {
  const { matcher, maxScrolls, until, stillThreshold } = rules
  const end = context.clock.elapsed() + (until - context.clock.now())
  let { tree } = await look(context, { until, ...treeFor(matcher, rules.container) })
  const isInSight = sightOf(rules, context)
  let still = 0
  let hasMoved = false
  for (let scrolls = 0; ; scrolls++) {
    const target = matcher && (await findIn(tree, matcher, context))
    const isEnd = still >= stillThreshold
    const ended = (reason: TerminationReason): LoopEnd => ({ reason, scrolls, target, tree })
    if (target && (await isInSight(target, isEnd))) return ended('target_found')
    if (still >= stillThreshold) return ended(hasMoved ? 'edge_reached' : 'no_position_change')
    if (scrolls >= maxScrolls) return ended('max_scrolls')
    if (context.clock.elapsed() >= end) return ended('max_duration')
    const scrolled = await scrollOnce(rules, context, tree)
    tree = scrolled.tree
    still = scrolled.moved ? 0 : still + 1
    hasMoved ||= scrolled.moved
  }
}

const targetNotFound = (matcher: Matcher, { reason, scrolls, tree }: LoopEnd): StepFailure => {
  const message = missing(matcher, ` after ${scrolls} scrolls (${reason})`)
  const data = { termination_reason: reason, scrolls_executed: String(scrolls) }
  return withUnseen(new StepFailure('TARGET_NOT_FOUND', message, { data }), tree)
}

const scroll: Step<'scroll'> = async (params, context) => {
  const { moved } = await retrying(params.retry, context, () => scrollOnce(params, context))
  return { scroll_outcome: moved ? 'moved' : 'edge_reached', direction: params.direction }
}

/** Any ending is a success when the step has no matcher. */
const scrollUntil: Step<'scroll_until'> = (params, context) => {
  const { matcher, maxScrolls, maxDurationMs, noPositionChangeThreshold, clickAfter, retry, clickRetry } = params
  return retrying(retry, context, async () => {
    const until = Math.min(context.clock.now() + maxDurationMs, context.deadline)
    const rules = { maxScrolls, until, stillThreshold: noPositionChangeThreshold }
    const end = await scrollLoop({ ...params, ...rules }, context)
    if (matcher && end.reason !== 'target_found') throw targetNotFound(matcher, end)
    const rule = matcher && clickAfter ? ({ matcher, clickType: 'default', clickRetry } as const) : undefined
    const facts = rule ? await clickNode(rule, context, end.target) : {}
    return { termination_reason: end.reason, scrolls_executed: String(end.scrolls), ...facts }
  })
}

/** This action reports a missing container as a target that was not reached. */
const loopToTarget = async (
  matcher: Matcher,
  rules: Omit<LoopRules, 'matcher'>,
  context: StepContext,
): Promise<LoopEnd> => {
  try {
    return await scrollLoop({ ...rules, matcher }, context)
  } catch (error) {
    if (!(error instanceof StepFailure) || !error.code.startsWith('CONTAINER_')) throw error
    throw new StepFailure('TARGET_NOT_FOUND', missing(matcher, `, and ${error.message}`))
  }
}

const scrollAndClick: Step<'scroll_and_click'> = (params, context) => {
  const { matcher, maxSwipes, clickAfter, clickType, retry, clickRetry } = params
  return retrying(retry, context, async () => {
    const bounds = { maxScrolls: maxSwipes, until: context.deadline, stillThreshold: SCROLL_STILL_THRESHOLD.default }
    const end = await loopToTarget(matcher, { ...params, ...bounds }, context)
    if (!end.target) throw targetNotFound(matcher, end)
    const facts = clickAfter ? await clickNode({ matcher, clickType, clickRetry }, context, end.target) : {}
    return { scrolls_executed: String(end.scrolls), ...facts }
  })
}

export const SCROLL_STEPS = {
  scroll: { screen: scroll },
  scroll_until: { screen: scrollUntil },
  scroll_and_click: { screen: scrollAndClick },
} as const satisfies Partial<Performers>
