/** Finds the node that a scroll step scrolls: the container it names, or something in it that scrolls. */

import { roleOf } from '../../contracts/device/role.ts'
import { type FoundNode, isOnScreen, type UiNode, type UiTree, walk } from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { PIECE, type Sliced } from '../../runtime/yielding.ts'
import { missing, NO_HIERARCHY, staleElement } from './locate.ts'
import type { Direction } from './scroll-gesture.ts'
import { searching } from './search.ts'
import { StepFailure } from './step-failure.ts'

export interface ContainerRules {
  container?: Matcher | undefined
  direction: Direction
  findFirstScrollableChild: boolean
}

const isSideways = (node: UiNode) => roleOf(node) === 'pager' || /HorizontalScrollView$/.test(node.className)
const isUpright = (node: UiNode) => !isSideways(node) && (roleOf(node) === 'scroll' || /ListView$/.test(node.className))

/** False for a node whose class says that it scrolls along the other axis only. */
export const mayScroll = (node: UiNode, direction: Direction) =>
  direction === 'up' || direction === 'down' ? !isSideways(node) : !isUpright(node)

const firstScrollable = function* (within: readonly UiNode[], direction: Direction): Sliced<FoundNode | undefined> {
  let other: FoundNode | undefined
  let seen = 0
  for (const found of walk(within)) {
    seen += 1
    if (seen % PIECE === 0) yield
    if (!found.node.scrollable || !isOnScreen(found.node)) continue
    if (mayScroll(found.node, direction)) return found
    other ??= found
  }
  return other
}

/** Finds the node to scroll; the whole screen is the container when the step names none. */
export const findingContainer = function* (tree: UiTree | undefined, rules: ContainerRules): Sliced<UiNode> {
  const { container, direction, findFirstScrollableChild } = rules
  if (!tree) throw new StepFailure('CONTAINER_NOT_FOUND', NO_HIERARCHY)
  const named = container && (yield* searching(tree.roots, container, { most: 1 }))[0]
  if (container && !named) {
    throw (
      staleElement(container, tree.roots) ??
      new StepFailure('CONTAINER_NOT_FOUND', missing(container, ' as the container'))
    )
  }
  if (named?.node.scrollable) return named.node
  if (findFirstScrollableChild) {
    const found = yield* firstScrollable(named ? named.node.children : tree.roots, direction)
    if (found) return found.node
  } else if (!named) {
    const root = tree.roots.find(node => node.scrollable)
    if (root) return root
  }
  if (named) throw new StepFailure('CONTAINER_NOT_SCROLLABLE', 'the container does not scroll')
  throw new StepFailure('CONTAINER_NOT_FOUND', 'nothing on the screen scrolls')
}
