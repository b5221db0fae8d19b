/** Scrolling on until a node is there, the content ends, or a bound is reached. */
import type { Matcher } from '../../contracts/matcher.ts'
import type { StepContext } from './context.ts'
import { findIn, look, missing } from './locate.ts'
import type { FoundNode } from './match.ts'
import { type ScrollRules, scrollOnce } from './scroll-once.ts'
import { StepFailure } from './step-failure.ts'

/**
 * Why scrolling ended: the target is on the screen; the content moved and then no more; so many scrolls; so long; the
 * content never moved at all.
 */
export const TERMINATION_REASONS = [
  'target_found',
  'edge_reached',
  'max_scrolls',
  'max_duration',
  'no_position_change',
] as const
export type TerminationReason = (typeof TERMINATION_REASONS)[number]

export interface LoopRules extends ScrollRules {
  matcher?: Matcher | undefined
  maxScrolls: number
  /** In epoch ms. */
  until: number
  /** How many scrolls in a row may move nothing. */
  stillThreshold: number
}

export interface LoopEnd {
  reason: TerminationReason
  scrolls: number
  target: FoundNode | undefined
}

export const scrollLoop = async (rules: LoopRules, context: StepContext): Promise<LoopEnd> => {
  const { matcher, maxScrolls, until, stillThreshold } = rules
  const end = context.clock.elapsed() + (until - context.clock.now())
  let { tree } = await look(context, { until })
  let still = 0
  let hasMoved = false
  for (let scrolls = 0; ; scrolls++) {
    const target = matcher && (await findIn(tree, matcher, context))
    const ended = (reason: TerminationReason): LoopEnd => ({ reason, scrolls, target })
    if (target) return ended('target_found')
    if (still >= stillThreshold) return ended(hasMoved ? 'edge_reached' : 'no_position_change')
    if (scrolls >= maxScrolls) return ended('max_scrolls')
    if (context.clock.elapsed() >= end) return ended('max_duration')
    const scrolled = await scrollOnce(rules, context, tree)
    tree = scrolled.tree
    still = scrolled.moved ? 0 : still + 1
    hasMoved ||= scrolled.moved
  }
}

export const targetNotFound = (matcher: Matcher, { reason, scrolls }: LoopEnd): StepFailure =>
  new StepFailure('TARGET_NOT_FOUND', missing(matcher, ` after ${scrolls} scrolls (${reason})`), {
    data: { termination_reason: reason, scrolls_executed: String(scrolls) },
  })
