/** scroll, scroll_until and scroll_and_click. */
import { SCROLL_STILL_THRESHOLD } from '../../../contracts/limits.ts'
import type { Matcher } from '../../../contracts/matcher.ts'
import { clickNode } from '../clickable.ts'
import type { Step, StepContext } from '../context.ts'
import { missing } from '../locate.ts'
import { retrying } from '../retry.ts'
import { type LoopEnd, type LoopRules, scrollLoop, targetNotFound } from '../scroll-loop.ts'
import { scrollOnce } from '../scroll-once.ts'
import { StepFailure } from '../step-failure.ts'

export const scroll: Step<'scroll'> = async (params, context) => {
  const { moved } = await retrying(params.retry, context, () => scrollOnce(params, context))
  return { scroll_outcome: moved ? 'moved' : 'edge_reached', direction: params.direction }
}

/** Any ending is a success when the step has no matcher. */
export const scrollUntil: Step<'scroll_until'> = (params, context) => {
  const { matcher, maxScrolls, maxDurationMs, noPositionChangeThreshold, clickAfter, retry, clickRetry } = params
  return retrying(retry, context, async () => {
    const until = Math.min(context.clock.now() + maxDurationMs, context.deadline)
    const rules = { maxScrolls, until, stillThreshold: noPositionChangeThreshold }
    const end = await scrollLoop({ ...params, ...rules }, context)
    if (matcher && !end.target) throw targetNotFound(matcher, end)
    if (matcher && clickAfter) await clickNode({ matcher, clickType: 'default', clickRetry }, context, end.target)
    return { termination_reason: end.reason, scrolls_executed: String(end.scrolls) }
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

export const scrollAndClick: Step<'scroll_and_click'> = (params, context) => {
  const { matcher, maxSwipes, clickAfter, clickType, retry, clickRetry } = params
  return retrying(retry, context, async () => {
    const bounds = { maxScrolls: maxSwipes, until: context.deadline, stillThreshold: SCROLL_STILL_THRESHOLD.default }
    const end = await loopToTarget(matcher, { ...params, ...bounds }, context)
    if (!end.target) throw targetNotFound(matcher, end)
    if (clickAfter) await clickNode({ matcher, clickType, clickRetry }, context, end.target)
    return { scrolls_executed: String(end.scrolls) }
  })
}
