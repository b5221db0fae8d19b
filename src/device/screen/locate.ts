/** Finding the node of a step on the screen as it is now, and saying so when it is missing. */

import type { FoundNode, UiTree } from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { NO_NODE_MESSAGE } from '../../contracts/failures/step-hints.ts'
import { inSlices } from '../../runtime/yielding.ts'
import type { StepContext } from './context.ts'
import type { TreeOptions } from './driver.ts'
import { findElement } from './elements/element-identity.ts'
import { describeMatcher, relationsOf } from './match.ts'
import { asksForFlowChecks, pagesOfFlow, type WebQuery } from './patterns/flow-words.ts'
import { searching } from './search.ts'
import { StepFailure } from './step-failure.ts'

export const NO_HIERARCHY = 'the window returned no hierarchy'

/** The text that skills match on, and the matcher as `key=value`. */
export const missing = (matcher: Matcher, more = ''): string => `${NO_NODE_MESSAGE} ${describeMatcher(matcher)}${more}`

/** Adds why a part of the screen could not be seen, where the matcher asks for that part. */
export const withUnseen = (failure: StepFailure, tree: UiTree | undefined): StepFailure => {
  const { code, message, data, hint } = failure
  const unread = tree?.unreadPages
  return unread ? new StepFailure(code, `${message}; ${unread.reason}`, { data, hint: unread.hint ?? hint }) : failure
}

/** An element that is gone, or no longer told apart; undefined for another matcher. */
export const staleElement = (matcher: Matcher, roots: UiTree['roots']): StepFailure | undefined => {
  if (!matcher.element) return undefined
  const result = findElement({ roots }, matcher.element)
  const reason = result.ok ? 'it is not where it was looked for' : result.reason
  return new StepFailure('REF_STALE', `${describeMatcher(matcher)} is stale: ${reason}`, {
    data: { reason },
  })
}

export const nodeNotFound = (matcher: Matcher, tree: UiTree): StepFailure =>
  staleElement(matcher, tree.roots) ?? withUnseen(new StepFailure('NODE_NOT_FOUND', missing(matcher)), tree)

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
  matcher.checked !== undefined ||
  (matcher.flow !== undefined && asksForFlowChecks(matcher.flow)) ||
  relationsOf(matcher).some(({ to }) => asksForChecks(to))

/** The pages of all matchers of a step. */
const pagesFor = (matchers: readonly (Matcher | undefined)[]): WebQuery | undefined => {
  const element = matchers.find(matcher => matcher?.pageElement)?.pageElement
  if (element) return { css: [], all: false, element }
  const queries = matchers.flatMap(matcher => (matcher?.flow ? (pagesOfFlow(matcher.flow) ?? []) : []))
  if (queries.length === 0) return undefined
  return { css: [...new Set(queries.flatMap(({ css }) => css))], all: queries.some(({ all }) => all) }
}

/** Facts that take longer to read are read where a matcher asks for them: checks, by some drivers, and the pages of web views. */
export const treeFor = (...matchers: readonly (Matcher | undefined)[]): TreeOptions => {
  const web = pagesFor(matchers)
  return {
    ...(matchers.some(matcher => matcher && asksForChecks(matcher)) ? { complete: true } : {}),
    ...(web ? { web } : {}),
  }
}

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
  const tree = await treeOf(context, treeFor(matcher))
  const found = await findIn(tree, matcher, context)
  if (!found) throw nodeNotFound(matcher, tree)
  return found
}
