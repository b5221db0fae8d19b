/** Performs keys and typing on the screen in front. The phone itself handles power keys. */

import { currentNodeOf } from './current-node.ts'
import { type GestureContext, tapNode } from './gestures.ts'
import { isKeyName, TYPING_KEYS } from './key-names.ts'
import { placedNodeFor } from './layout.ts'
import { focusOf, focusOn, textOf } from './open-screen.ts'
import { performReactions, type ReactionContext } from './reactions.ts'

const FIELD_CHARS_MAX = 100_000

/** Text typed into a kept field is kept with it. */
const write = (context: ReactionContext, field: Parameters<typeof textOf>[0], text: string) => {
  const { entry, state } = context
  if (field.kept) state.change(field, { text })
  else entry.typed.set(field, text)
}

/** Replaces what is between the two places; does nothing without a field to type into. */
const edit = (context: ReactionContext, make: (text: string, cursor: number) => { text: string; cursor: number }) => {
  const { entry, state } = context
  const field = focusOf(entry, state)
  if (!field) return
  const { editable, enabled, text: before } = currentNodeOf(field, entry.app, entry, state)
  if (!editable || !enabled) return
  if (!entry.focus) focusOn(entry, field, state)
  const { text, cursor } = make(before, Math.min(entry.focus?.cursor ?? before.length, before.length))
  entry.focus = { field, cursor }
  if (text === before) return
  write(context, field, text)
  performReactions(field.onText, entry.app, context, { values: { text }, occasions: [text] })
}

export const typeText = (context: ReactionContext, typed: string): void =>
  edit(context, (text, cursor) => {
    const taken = typed.slice(0, Math.max(0, FIELD_CHARS_MAX - text.length))
    return { text: text.slice(0, cursor) + taken + text.slice(cursor), cursor: cursor + taken.length }
  })

/** A letter outside the first 65,536 is two units long. */
const lengthBefore = (text: string, cursor: number) => [...text.slice(0, cursor)].at(-1)?.length ?? 0
const lengthAfter = (text: string, cursor: number) => [...text.slice(cursor)][0]?.length ?? 0

const deleteBefore = (context: ReactionContext): void =>
  edit(context, (text, cursor) => {
    const start = cursor - lengthBefore(text, cursor)
    return { text: text.slice(0, start) + text.slice(cursor), cursor: start }
  })

const deleteAfter = (context: ReactionContext): void =>
  edit(context, (text, cursor) => ({
    text: text.slice(0, cursor) + text.slice(cursor + lengthAfter(text, cursor)),
    cursor,
  }))

export const replaceText = (context: ReactionContext, typed: string): void =>
  edit(context, () => ({ text: typed.slice(0, FIELD_CHARS_MAX), cursor: Math.min(typed.length, FIELD_CHARS_MAX) }))

const moveCursor = (context: ReactionContext, to: 'start' | 'end' | 'left' | 'right'): void =>
  edit(context, (text, cursor) => {
    const steps = { start: -cursor, end: text.length - cursor, left: -lengthBefore(text, cursor) }
    return { text, cursor: cursor + (to === 'right' ? lengthAfter(text, cursor) : steps[to]) }
  })

export interface KeyContext extends GestureContext {
  showRecents(): void
  /** The text on the clipboard. */
  pasted(): string
}

/** Enter on what has the focus and is not a text field presses it. */
const enter = (context: KeyContext): void => {
  const { entry, state, roots } = context
  const field = focusOf(entry, state)
  const placed = field && placedNodeFor(roots, field)
  if (placed && !placed.current.editable) tapNode(placed, context)
}

const EFFECTS: Readonly<Record<string, (context: KeyContext) => void>> = {
  BACK: ({ tasks }) => tasks.back(),
  HOME: ({ tasks }) => tasks.home(),
  APP_SWITCH: ({ showRecents }) => showRecents(),
  ENTER: enter,
  NUMPAD_ENTER: enter,
  DPAD_CENTER: enter,
  PASTE: context => typeText(context, context.pasted()),
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
  const reactions = SYSTEM_KEYS.includes(name) ? undefined : (focused?.onKey[name] ?? entry.screen.onKey[name])
  const values = { text: focused ? textOf(focused, entry, state) : '' }
  const typed = TYPING_KEYS.get(name)
  if (ENTER_KEYS.includes(name)) context.keyboard(false)
  if (reactions && performReactions(reactions, entry.app, context, { values })) return true
  if (typed !== undefined) typeText(context, typed)
  else EFFECTS[name]?.(context)
  return true
}
