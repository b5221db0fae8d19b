/** What the keys of the phone do on the screen in front. Power keys are the phone's own business. */
import { perform } from './effects.ts'
import type { GestureContext } from './gestures.ts'
import { press } from './gestures.ts'
import { placedOf } from './hit.ts'
import { isKeyName, TYPING_KEYS } from './key-names.ts'
import { deleteAfter, deleteBefore, moveCursor, type } from './text-field.ts'

export interface KeyContext extends GestureContext {
  showRecents(): void
}

/** Enter on what has the focus and is no text field presses it. */
const enter = (context: KeyContext): void => {
  const { focus } = context.entry
  if (!focus || focus.field.editable) return
  const placed = placedOf(context.roots, focus.field)
  if (placed) press(placed, context)
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

/** False for a key that no phone has. What the scenario says of a key replaces what it does otherwise. */
export const pressKey = (name: string, context: KeyContext): boolean => {
  if (!isKeyName(name)) return false
  const { entry } = context
  const focused = entry.focus?.field
  const own = focused?.onKey[name] ?? entry.screen.onKey[name]
  const values = {
    text: focused ? (entry.typed.get(focused) ?? context.changes.get(focused)?.text ?? focused.text) : '',
  }
  const typed = TYPING_KEYS.get(name)
  if (own && !SYSTEM_KEYS.includes(name)) perform(own, entry.app, context, { values })
  else if (typed !== undefined) type(context, typed)
  else EFFECTS[name]?.(context)
  return true
}
