/** wait_for_node, wait_for_navigation, wait_for_idle and sleep. */

import type { ParamsOf } from '../../contracts/actions/card.ts'
import { labelOf, type UiTree, walk } from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import type { FailureCode } from '../../contracts/failures/failures.ts'
import { pause } from '../../runtime/clock.ts'
import type { Step, StepContext } from '../screen/context.ts'
import { findIn, type Look, look, missing, treeFor, withUnseen } from '../screen/locate.ts'
import { describeMatcher } from '../screen/match.ts'
import { poll, retrying } from '../screen/retry.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { Performers } from './performer.ts'

const waitForNode: Step<'wait_for_node'> = (params, context) =>
  retrying(params.retry, context, () =>
    params.state === 'gone' ? waitUntilGone(params, context) : waitUntilThere(params, context),
  )

type NodeWait = Pick<ParamsOf['wait_for_node'], 'matcher' | 'timeoutMs'>

const waitUntilThere = async ({ matcher, timeoutMs }: NodeWait, context: StepContext) => {
  const { clock, signal, deadline } = context
  const began = clock.elapsed()
  const until = Math.min(clock.now() + timeoutMs, deadline)
  const search = searchFor(matcher, context, until)
  const found = await poll(search.find, { clock, signal, until })
  const elapsedMs = String(Math.round(clock.elapsed() - began))
  if (!found) throw search.failed('NODE_NOT_FOUND', missing(matcher, ` within ${elapsedMs} ms`))
  return { resource_id: found.node.resourceId, label: labelOf(found.node), elapsed_ms: elapsedMs }
}

/** A screen that cannot be seen does not prove that the node is gone, nor does a page of which it would be an element. */
const waitUntilGone = async ({ matcher, timeoutMs }: NodeWait, context: StepContext) => {
  const { clock, signal, deadline } = context
  const began = clock.elapsed()
  const until = Math.min(clock.now() + timeoutMs, deadline)
  const search = searchFor(matcher, context, until)
  const gone = await poll(search.findNone, { clock, signal, until })
  const elapsedMs = String(Math.round(clock.elapsed() - began))
  if (gone) return { elapsed_ms: elapsedMs }
  const reason = `the node that matches ${describeMatcher(matcher)} did not go away within ${elapsedMs} ms`
  throw search.failed('NODE_STILL_VISIBLE', reason)
}

/** A screen that cannot be seen does not show the node yet; that it could not be seen is said in the end. */
const searchFor = (matcher: Matcher, context: StepContext, until: number) => {
  const options = treeFor(matcher)
  let hasSeen = false
  let problem: StepFailure | undefined
  let seenLast: UiTree | undefined
  /** A look that began when the time was over, or was cut off by that, says nothing of the screen. */
  const note = (seen: Look) => {
    if (seen.tree) [hasSeen, problem] = [true, undefined]
    else if (context.clock.now() < until) problem = seen.problem
    else if (!hasSeen) problem ??= seen.problem
    if (context.clock.now() < until) seenLast = seen.tree ?? seenLast
    else seenLast ??= seen.tree
  }
  const lookForIt = async () => {
    const seen = await look(context, { until, ...options })
    note(seen)
    return { tree: seen.tree, found: await findIn(seen.tree, matcher, context) }
  }
  return {
    find: async () => (await lookForIt()).found,
    findNone: async () => {
      const { tree, found } = await lookForIt()
      const isBlind = tree?.unreadPages !== undefined && (options.web?.css.length ?? 0) > 0
      return tree && !found && !isBlind ? true : undefined
    },
    failed: (code: FailureCode, reason: string) =>
      problem
        ? new StepFailure(code, `${reason}; the screen could not be read: ${problem.message}`, { hint: problem.hint })
        : withUnseen(new StepFailure(code, reason), seenLast),
  }
}

/** Both the package and the node, where both are given. */
const waitForNavigation: Step<'wait_for_navigation'> = (params, context) =>
  retrying(params.retry, context, async () => {
    const { expectedPackage, expectedNode, timeoutMs } = params
    const { driver, clock, signal, deadline } = context
    const began = clock.elapsed()
    const until = Math.min(clock.now() + timeoutMs, deadline)
    const search = expectedNode && searchFor(expectedNode, context, until)
    let front = ''
    const isThere = async () => {
      front = await driver.foregroundPackage(until)
      if (expectedPackage !== undefined && front !== expectedPackage) return undefined
      return search === undefined || (await search.find()) ? front : undefined
    }
    const arrived = await poll(isThere, { clock, signal, until })
    const elapsedMs = String(Math.round(clock.elapsed() - began))
    if (arrived !== undefined) return { resolved_package: arrived, elapsed_ms: elapsedMs }
    const expected = [
      ...(expectedPackage === undefined ? [] : [`package ${expectedPackage}`]),
      ...(expectedNode === undefined ? [] : [`a node with ${describeMatcher(expectedNode)}`]),
    ].join(' and ')
    const reason = `${expected} did not come to the front within ${elapsedMs} ms; ${front || 'nothing'} is in front`
    throw search?.failed('NAVIGATION_TIMEOUT', reason) ?? new StepFailure('NAVIGATION_TIMEOUT', reason)
  })

/** The screen in one text, by which two looks are compared. */
const pictureOf = ({ roots }: UiTree): string =>
  Array.from(walk(roots), ({ node: { children, ...facts } }) => JSON.stringify([facts, children.length])).join('\n')

/** Two looks that see the same. A screen that cannot be seen is not still. */
const waitForIdle: Step<'wait_for_idle'> = async ({ timeoutMs }, context) => {
  const { clock, signal, deadline } = context
  const until = Math.min(clock.now() + timeoutMs, deadline)
  let before: string | undefined
  const isStill = async () => {
    const { tree } = await look(context, { until })
    const now = tree && pictureOf(tree)
    const settled = now !== undefined && now === before
    before = now
    return settled || undefined
  }
  return { settled: String((await poll(isStill, { clock, signal, until })) ?? false) }
}

const sleep: Step<'sleep'> = async ({ durationMs }, { clock, signal, deadline }) => {
  const left = deadline - clock.now()
  await pause(clock, Math.min(durationMs, left), signal)
  signal.throwIfAborted()
  if (left < durationMs) throw new StepFailure('ACTION_FAILED', `the time of the execution ended within the sleep`)
  return { duration_ms: String(durationMs) }
}

export const WAIT_STEPS = {
  wait_for_node: { screen: waitForNode },
  wait_for_navigation: { screen: waitForNavigation },
  wait_for_idle: { screen: waitForIdle },
  sleep: { screen: sleep },
} as const satisfies Partial<Performers>
