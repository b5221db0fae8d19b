/** Performs the gestures of fingers: tap, hold, drag a list. */
import type { Point } from '../../contracts/device/ui-tree.ts'
import { everyNode } from '../scenario/app.ts'
import { hrefOf, type ScenarioNode } from '../scenario/node.ts'
import type { Effects } from '../scenario/reaction.ts'
import { type PlacedNode, touchTargetAt } from './layout.ts'
import { focusOn } from './open-screen.ts'
import { performReactions, type ReactionContext, toggle } from './reactions.ts'

export interface GestureContext extends ReactionContext {
  roots: readonly PlacedNode[]
}

/** Its reactions already say what becomes of its own check mark. */
const decidesItself = ({ id, onTap }: ScenarioNode): boolean => {
  const decides = ({ toggle: toggled, set = {}, firstOf = [] }: Effects): boolean =>
    toggled === id || set[id ?? '']?.checked !== undefined || firstOf.some(decides)
  return id !== undefined && onTap.some(decides)
}

/** A radio button cannot be switched off by tapping it. */
const check = ({ source, current }: PlacedNode, { entry, state }: ReactionContext): void => {
  if (current.className.endsWith('.RadioButton')) state.change(source, { checked: true })
  else toggle(source, entry.app, state)
}

/** A touch brings up the keyboard for an editable node. */
const focusByTouch = ({ source, current }: PlacedNode, { entry, state, keyboard }: ReactionContext) => {
  if (!current.editable) return
  focusOn(entry, source, state)
  keyboard(true)
}

/** The screen of the app that shows the page of this address; relative ones begin at the page that is shown. */
export const openPage = (href: string, { entry: { app, screen }, tasks }: ReactionContext): boolean => {
  const here = everyNode(screen.nodes).find(({ page }) => page)?.page?.url
  const url = URL.canParse(href, here) ? new URL(href, here).href : href
  const isAt = (address: string) => address === href || (URL.canParse(address) && new URL(address).href === url)
  const there = [...app.screens].find(([, { nodes }]) => everyNode(nodes).some(({ page }) => page && isAt(page.url)))
  if (there) tasks.push(app, there[0])
  return there !== undefined
}

/** False when the node does not take it. */
export const tapNode = (placed: PlacedNode, context: GestureContext): boolean => {
  const { source, current } = placed
  if (!current.enabled || !current.clickable) return false
  focusByTouch(placed, context)
  if (current.checkable && !decidesItself(source)) check(placed, context)
  performReactions(source.onTap, context.entry.app, context)
  const href = source.onTap.length === 0 ? hrefOf(source) : undefined
  if (href !== undefined) openPage(href, context)
  context.entry.onTapped?.(source.id)
  return true
}

export const longPressNode = (placed: PlacedNode, context: GestureContext): boolean => {
  const { source, current } = placed
  if (!current.enabled || !current.longClickable) return false
  focusByTouch(placed, context)
  performReactions(source.onLongPress, context.entry.app, context)
  return true
}

/** A node that can only be held takes a tap as well, and does nothing with it. */
const takesTouches = ({ current }: PlacedNode) => current.clickable || current.longClickable

export const tapAt = (point: Point, context: GestureContext): void => {
  const target = touchTargetAt(context.roots, point, takesTouches)
  if (target) tapNode(target, context)
}

/** A node that cannot be held takes a long press as a tap. */
export const holdAt = (point: Point, context: GestureContext): void => {
  const target = touchTargetAt(context.roots, point, takesTouches)
  if (target && !longPressNode(target, context)) tapNode(target, context)
}

/** Drags without momentum: the content moves as far as the finger, and stops at its ends. */
export const drag = (start: Point, end: Point, context: GestureContext): void => {
  const { entry } = context
  const moved = { x: start.x - end.x, y: start.y - end.y }
  const axis = Math.abs(moved.x) > Math.abs(moved.y) ? 'x' : 'y'
  const list = touchTargetAt(context.roots, start, ({ scroll }) => scroll?.axis === axis)
  if (!list?.scroll) return
  const offset = Math.max(0, Math.min(list.scroll.end, list.scroll.offset + moved[axis]))
  if (offset === list.scroll.offset) return
  entry.scrolled.set(list.source, offset)
  const occasions = [...(offset === 0 ? ['start'] : []), ...(offset === list.scroll.end ? ['end'] : [])]
  performReactions(list.source.onScroll, entry.app, context, { occasions })
}
