/** Finding the node of a step on the screen as it is now, and saying so when it is missing. */
import type { Matcher } from '../../contracts/matcher.ts'
import { NO_NODE_MESSAGE } from '../../contracts/step-data.ts'
import type { StepContext } from './context.ts'
import { describeMatcher, type FoundNode, findFirst } from './match.ts'
import { StepFailure } from './step-failure.ts'
import type { UiTree } from './ui-tree.ts'

export const NO_HIERARCHY = 'the window gave no hierarchy'

/** The text that skills match on, and the matcher as `key=value`. */
export const missing = (matcher: Matcher, more = ''): string => `${NO_NODE_MESSAGE} ${describeMatcher(matcher)}${more}`

export const nodeNotFound = (matcher: Matcher, tree: UiTree | undefined): StepFailure =>
  new StepFailure('NODE_NOT_FOUND', missing(matcher, tree ? '' : `: ${NO_HIERARCHY}`))

export const locate = async (matcher: Matcher, { driver }: StepContext): Promise<FoundNode> => {
  const tree = await driver.tree()
  const found = findFirst(tree, matcher)
  if (!found) throw nodeNotFound(matcher, tree)
  return found
}
