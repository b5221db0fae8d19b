/** One scroll: find the container, move the finger, let it settle, and see whether anything moved. */
import type { Retry } from '../../contracts/retry.ts'
import { pause } from '../../runtime/clock.ts'
import { type ContainerRules, findContainer } from './container.ts'
import type { StepContext } from './context.ts'
import { look, treeOf } from './locate.ts'
import { labelOf, walk } from './match.ts'
import { retrying } from './retry.ts'
import { scrollGesture } from './scroll-gesture.ts'
import { StepFailure } from './step-failure.ts'
import type { UiNode, UiTree } from './ui-tree.ts'

export interface ScrollRules extends ContainerRules {
  distanceRatio: number
  settleDelayMs: number
  scrollRetry?: Retry | undefined
}

export interface Scrolled {
  moved: boolean
  /** The screen afterwards. */
  tree: UiTree | undefined
}

/** What the container shows and where: rows of one height may all change places with no bounds changed, or move by a pixel. */
const visibleContent = (container: UiNode): string =>
  JSON.stringify(
    [...walk(container.children)].map(({ node }) => [
      node.resourceId,
      node.className,
      labelOf(node),
      node.bounds.left,
      node.bounds.top,
      node.bounds.right,
      node.bounds.bottom,
    ]),
  )

/** Undefined when the container is gone: then the screen has moved on. */
const contentAfter = (tree: UiTree | undefined, rules: ContainerRules): string | undefined => {
  try {
    return visibleContent(findContainer(tree, rules))
  } catch (error) {
    if (error instanceof StepFailure) return undefined
    throw error
  }
}

/** `known` is the screen as it is now, when the caller has it already. */
export const scrollOnce = async (rules: ScrollRules, context: StepContext, known?: UiTree): Promise<Scrolled> => {
  const { driver, clock, signal } = context
  let seen = known
  const before = await retrying(rules.scrollRetry, context, async () => {
    const tree = seen ?? (await treeOf(context))
    seen = undefined
    const container = findContainer(tree, rules)
    const { start, end, durationMs } = scrollGesture(container.bounds, rules.direction, rules.distanceRatio)
    if (!(await driver.swipe(start, end, durationMs))) {
      throw new StepFailure('GESTURE_FAILED', 'the system refused the swipe that scrolls')
    }
    return visibleContent(container)
  })
  await pause(clock, rules.settleDelayMs, signal)
  const { tree } = await look(context)
  return { moved: contentAfter(tree, rules) !== before, tree }
}
