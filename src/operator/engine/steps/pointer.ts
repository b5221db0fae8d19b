/** click and swipe. */
import { clickNode } from '../clickable.ts'
import type { Step } from '../context.ts'
import { retrying } from '../retry.ts'
import { StepFailure } from '../step-failure.ts'

export const click: Step<'click'> = async (params, context) => {
  const { matcher, coordinate, clickType, retry, clickRetry } = params
  await retrying(retry, context, async () => {
    if (matcher) return await clickNode({ matcher, clickType, clickRetry }, context)
    if (!coordinate || clickType === 'focus') throw new StepFailure('NODE_NOT_CLICKABLE', 'there is nothing to focus')
    return await retrying(clickRetry, context, async () => {
      if (await context.driver.tap(coordinate, clickType)) return
      throw new StepFailure('GESTURE_FAILED', `the system refused the ${clickType} at ${coordinate.x},${coordinate.y}`)
    })
  })
  return { click_type: clickType }
}

export const swipe: Step<'swipe'> = async ({ start, end, durationMs }, { driver }) => {
  if (await driver.swipe(start, end, durationMs)) return { duration_ms: String(durationMs) }
  throw new StepFailure('GESTURE_FAILED', 'the system refused the swipe')
}
