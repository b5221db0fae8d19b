/** Finding the node of a step on the screen as it is now, and saying so when it is missing. */
import type { Matcher } from '../../contracts/matcher.ts'
import { NO_NODE_MESSAGE } from '../../contracts/step-answers.ts'
import { inSlices } from '../../runtime/slices.ts'
import type { StepContext } from './context.ts'
import type { TreeOptions } from './driver.ts'
import { describeMatcher, type FoundNode, relationsOf } from './match.ts'
import { searching } from './search.ts'
import { StepFailure } from './step-failure.ts'
import type { UiTree } from './ui-tree.ts'

export const NO_HIERARCHY = 'the window returned no hierarchy'

/** The text that skills match on, and the matcher as `key=value`. */
export const missing = (matcher: Matcher, more = ''): string => `${NO_NODE_MESSAGE} ${describeMatcher(matcher)}${more}`

export const nodeNotFound = (matcher: Matcher): StepFailure => new StepFailure('NODE_NOT_FOUND', missing(matcher))

/** The screen, or why it cannot be seen now. */
export type Look = { tree: UiTree } | { tree: undefined; problem: StepFailure }

const UNAVAILABLE = 'SNAPSHOT_HIERARCHY_UNAVAILABLE'

export const look = async ({ driver }: StepContext, options: TreeOptions = {}): Promise<Look> => {
  try {
    const tree = await driver.tree(options)
    return tree ? { tree } : { tree, problem: new StepFailure(UNAVAILABLE, NO_HIERARCHY) }
  } catch (error) {
    if (error instanceof StepFailure && error.code === UNAVAILABLE) return { tree: undefined, problem: error }
    throw error
  }
}

const asksForChecks = (matcher: Matcher): boolean =>
  matcher.checked !== undefined || relationsOf(matcher).some(({ to }) => asksForChecks(to))

/** Drivers that read a screen faster without its checks read them where a matcher asks for them. */
export const treeFor = (...matchers: readonly (Matcher | undefined)[]): TreeOptions =>
  matchers.some(matcher => matcher && asksForChecks(matcher)) ? { complete: true } : {}

/** Reads the screen once, for steps that do not wait for it. */
export const treeOf = async (context: StepContext, options: TreeOptions = {}): Promise<UiTree> => {
  const seen = await look(context, options)
  if (seen.tree) return seen.tree
  throw seen.problem
}

export const findIn = async (
  tree: UiTree | undefined,
  matcher: Matcher,
  context: StepContext,
): Promise<FoundNode | undefined> => (await inSlices(searching(tree?.roots ?? [], matcher, { most: 1 }), context))[0]

export const locate = async (matcher: Matcher, context: StepContext): Promise<FoundNode> => {
  const found = await findIn(await treeOf(context, treeFor(matcher)), matcher, context)
  if (!found) throw nodeNotFound(matcher)
  return found
}
