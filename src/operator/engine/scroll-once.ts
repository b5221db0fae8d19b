/** One scroll: find the container, move the finger, let it settle, and see whether anything moved. */
import type { Retry } from '../../contracts/actions/shape.ts'
import { pause } from '../../runtime/clock.ts'
import { inSlices, PIECE, type Sliced } from '../../runtime/slices.ts'
import { type ContainerRules, findingContainer } from './container.ts'
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

/** The content and its bounds: rows of one height may all change places with no bounds changed, or move by a pixel. */
const visibleContent = function* (container: UiNode): Sliced<string> {
  const lines: string[] = []
  for (const { node } of walk(container.children)) {
    if (lines.length % PIECE === 0) yield
    const { left, top, right, bottom } = node.bounds
    lines.push(JSON.stringify([node.resourceId, node.className, labelOf(node), left, top, right, bottom]))
  }
  return lines.join('\n')
}

/** Undefined when the container is gone: then the screen has moved on. */
const contentAfter = function* (tree: UiTree | undefined, rules: ContainerRules): Sliced<string | undefined> {
  try {
    return yield* visibleContent(yield* findingContainer(tree, rules))
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
    const container = await inSlices(findingContainer(tree, rules), context)
    const { start, end, durationMs } = scrollGesture(container.bounds, rules.direction, rules.distanceRatio)
    if (!(await driver.swipe(start, end, durationMs))) {
      throw new StepFailure('GESTURE_FAILED', 'the system refused the swipe that scrolls')
    }
    return await inSlices(visibleContent(container), context)
  })
  await pause(clock, rules.settleDelayMs, signal)
  const { tree } = await look(context)
  return { moved: (await inSlices(contentAfter(tree, rules), context)) !== before, tree }
}
