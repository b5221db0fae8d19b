/** wait_for_node, wait_for_navigation and sleep. */
import { pause } from '../../../runtime/clock.ts'
import type { Step } from '../context.ts'
import { missing } from '../locate.ts'
import { describeMatcher, findFirst, labelOf } from '../match.ts'
import { poll } from '../poll.ts'
import { retrying } from '../retry.ts'
import { StepFailure } from '../step-failure.ts'

export const waitForNode: Step<'wait_for_node'> = ({ matcher, timeoutMs, retry }, context) =>
  retrying(retry, context, async () => {
    const { driver, clock, signal, deadline } = context
    const began = clock.elapsed()
    const until = Math.min(clock.now() + timeoutMs, deadline)
    const found = await poll(async () => findFirst(await driver.tree(), matcher), { clock, signal, until })
    const elapsedMs = String(Math.round(clock.elapsed() - began))
    if (!found) throw new StepFailure('NODE_NOT_FOUND', missing(matcher, ` within ${elapsedMs} ms`))
    return { resource_id: found.node.resourceId, label: labelOf(found.node), elapsed_ms: elapsedMs }
  })

/** Both the package and the node, where both are given. */
export const waitForNavigation: Step<'wait_for_navigation'> = (params, context) =>
  retrying(params.retry, context, async () => {
    const { expectedPackage, expectedNode, timeoutMs } = params
    const { driver, clock, signal, deadline } = context
    const began = clock.elapsed()
    let front = ''
    const look = async () => {
      front = await driver.foregroundPackage()
      if (expectedPackage !== undefined && front !== expectedPackage) return undefined
      return expectedNode === undefined || findFirst(await driver.tree(), expectedNode) ? front : undefined
    }
    const arrived = await poll(look, { clock, signal, until: Math.min(clock.now() + timeoutMs, deadline) })
    const elapsedMs = String(Math.round(clock.elapsed() - began))
    if (arrived !== undefined) return { resolved_package: arrived, elapsed_ms: elapsedMs }
    const expected = [
      ...(expectedPackage === undefined ? [] : [`package ${expectedPackage}`]),
      ...(expectedNode === undefined ? [] : [`a node with ${describeMatcher(expectedNode)}`]),
    ].join(' and ')
    throw new StepFailure(
      'NAVIGATION_TIMEOUT',
      `${expected} did not come to the front within ${elapsedMs} ms, ${front || 'nothing'} is there`,
    )
  })

export const sleep: Step<'sleep'> = async ({ durationMs }, { clock, signal, deadline }) => {
  const left = deadline - clock.now()
  await pause(clock, Math.min(durationMs, left), signal)
  signal.throwIfAborted()
  if (left < durationMs) throw new StepFailure('ACTION_FAILED', `the time of the execution ended within the sleep`)
  return { duration_ms: String(durationMs) }
}
