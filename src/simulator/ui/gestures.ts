/** What fingers do: tap, hold, drag a list. */
import type { Point } from '../../operator/engine/ui-tree.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import { change, type EffectsContext, perform, toggle } from './effects.ts'
import type { Entry } from './entry.ts'
import { innermost, pathTo } from './hit.ts'
import type { Placed } from './layout.ts'
import { focusOn } from './text-field.ts'

export interface GestureContext extends EffectsContext {
  entry: Entry
  roots: readonly Placed[]
}

/** Its reactions already say what becomes of its own check mark. */
const decidesItself = ({ id, onTap }: ScenarioNode): boolean =>
  id !== undefined && onTap.some(({ toggle: toggled, set = {} }) => toggled === id || set[id]?.checked !== undefined)

/** A radio button cannot be switched off by tapping it. */
const check = (source: ScenarioNode, changes: EffectsContext['changes']): void => {
  if (source.className.endsWith('.RadioButton')) change(changes, source, { checked: true })
  else toggle(changes, source)
}

/** False when the node does not take it. */
export const press = ({ source, look }: Placed, context: GestureContext): boolean => {
  if (!look.enabled || !source.clickable) return false
  const { entry, changes } = context
  if (source.editable) focusOn(entry, source, changes)
  if (source.checkable && !decidesItself(source)) check(source, changes)
  perform(source.onTap, entry.app, context)
  return true
}

export const hold = ({ source, look }: Placed, context: GestureContext): boolean => {
  if (!look.enabled || !source.longClickable) return false
  if (source.editable) focusOn(context.entry, source, context.changes)
  perform(source.onLongPress, context.entry.app, context)
  return true
}

export const tapAt = (point: Point, context: GestureContext): void => {
  const target = innermost(pathTo(context.roots, point), ({ source }) => source.clickable)
  if (target) press(target, context)
}

/** What cannot be held takes a long press as a tap. */
export const holdAt = (point: Point, context: GestureContext): void => {
  const path = pathTo(context.roots, point)
  const target = innermost(path, ({ source }) => source.longClickable || source.clickable)
  if (target && !hold(target, context)) press(target, context)
}

/** Without momentum: the content moves as far as the finger, and stops at its ends. */
export const drag = (start: Point, end: Point, context: GestureContext): void => {
  const { entry } = context
  const moved = { x: start.x - end.x, y: start.y - end.y }
  const axis = Math.abs(moved.x) > Math.abs(moved.y) ? 'x' : 'y'
  const list = innermost(pathTo(context.roots, start), ({ scroll }) => scroll?.axis === axis)
  if (!list?.scroll) return
  const offset = Math.max(0, Math.min(list.scroll.end, list.scroll.offset + moved[axis]))
  if (offset === list.scroll.offset) return
  entry.scrolled.set(list.source, offset)
  const occasions = [...(offset === 0 ? ['start'] : []), ...(offset === list.scroll.end ? ['end'] : [])]
  perform(list.source.onScroll, entry.app, context, { occasions })
}
