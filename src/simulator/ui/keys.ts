/** Performs the keys of the phone on the screen in front. The phone itself handles power keys. */
import { perform } from './effects.ts'
import { focusOf, textOf } from './focus.ts'
import type { GestureContext } from './gestures.ts'
import { press } from './gestures.ts'
import { placedOf } from './hit.ts'
import { isKeyName, TYPING_KEYS } from './key-names.ts'
import { deleteAfter, deleteBefore, moveCursor, type } from './text-field.ts'

export interface KeyContext extends GestureContext {
  showRecents(): void
}

/** Enter on what has the focus and is not a text field presses it. */
const enter = (context: KeyContext): void => {
  const { entry, state, roots } = context
  const field = focusOf(entry, state)
  const placed = field && placedOf(roots, field)
  if (placed && !placed.look.editable) press(placed, context)
}

const EFFECTS: Readonly<Record<string, (context: KeyContext) => void>> = {
  BACK: ({ tasks }) => tasks.back(),
  HOME: ({ tasks }) => tasks.home(),
  APP_SWITCH: ({ showRecents }) => showRecents(),
  ENTER: enter,
  NUMPAD_ENTER: enter,
  DPAD_CENTER: enter,
  DEL: deleteBefore,
  FORWARD_DEL: deleteAfter,
  MOVE_HOME: context => moveCursor(context, 'start'),
  MOVE_END: context => moveCursor(context, 'end'),
  DPAD_LEFT: context => moveCursor(context, 'left'),
  DPAD_RIGHT: context => moveCursor(context, 'right'),
}

/** An app never sees these. */
const SYSTEM_KEYS = ['HOME', 'APP_SWITCH']
/** The end of typing. */
const ENTER_KEYS = ['ENTER', 'NUMPAD_ENTER']

/** False for a key that no phone has. What the scenario says of a key replaces what it does otherwise. */
export const pressKey = (name: string, context: KeyContext): boolean => {
  if (!isKeyName(name)) return false
  const { entry, state } = context
  const focused = focusOf(entry, state)
  const own = SYSTEM_KEYS.includes(name) ? undefined : (focused?.onKey[name] ?? entry.screen.onKey[name])
  const values = { text: focused ? textOf(focused, entry, state) : '' }
  const typed = TYPING_KEYS.get(name)
  if (ENTER_KEYS.includes(name)) context.keyboard(false)
  if (own && perform(own, entry.app, context, { values })) return true
  if (typed !== undefined) type(context, typed)
  else EFFECTS[name]?.(context)
  return true
}
