/** Typing into the field that has the focus. */
import { type EffectsContext, perform } from './effects.ts'
import { focusOf, focusOn, type textOf } from './focus.ts'
import { lookOf } from './look.ts'

const FIELD_CHARS_MAX = 100_000

/** Text typed into a kept field is kept with it. */
const write = (context: EffectsContext, field: Parameters<typeof textOf>[0], text: string) => {
  const { entry, state } = context
  if (field.kept) state.change(field, { text })
  else entry.typed.set(field, text)
}

/** Replaces what is between the two places; does nothing without a field to type into. */
const edit = (context: EffectsContext, make: (text: string, cursor: number) => { text: string; cursor: number }) => {
  const { entry, state } = context
  const field = focusOf(entry, state)
  if (!field) return
  const { editable, enabled, text: before } = lookOf(field, entry.app, entry, state)
  if (!editable || !enabled) return
  if (!entry.focus) focusOn(entry, field, state)
  const { text, cursor } = make(before, Math.min(entry.focus?.cursor ?? before.length, before.length))
  entry.focus = { field, cursor }
  if (text === before) return
  write(context, field, text)
  perform(field.onText, entry.app, context, { values: { text }, occasions: [text] })
}

export const type = (context: EffectsContext, typed: string): void =>
  edit(context, (text, cursor) => {
    const taken = typed.slice(0, Math.max(0, FIELD_CHARS_MAX - text.length))
    return { text: text.slice(0, cursor) + taken + text.slice(cursor), cursor: cursor + taken.length }
  })

/** A letter outside the first 65,536 is two units long. */
const lengthBefore = (text: string, cursor: number) => [...text.slice(0, cursor)].at(-1)?.length ?? 0
const lengthAfter = (text: string, cursor: number) => [...text.slice(cursor)][0]?.length ?? 0

export const deleteBefore = (context: EffectsContext): void =>
  edit(context, (text, cursor) => {
    const start = cursor - lengthBefore(text, cursor)
    return { text: text.slice(0, start) + text.slice(cursor), cursor: start }
  })

export const deleteAfter = (context: EffectsContext): void =>
  edit(context, (text, cursor) => ({
    text: text.slice(0, cursor) + text.slice(cursor + lengthAfter(text, cursor)),
    cursor,
  }))

export const replaceAll = (context: EffectsContext, typed: string): void =>
  edit(context, () => ({ text: typed.slice(0, FIELD_CHARS_MAX), cursor: Math.min(typed.length, FIELD_CHARS_MAX) }))

export const moveCursor = (context: EffectsContext, to: 'start' | 'end' | 'left' | 'right'): void =>
  edit(context, (text, cursor) => {
    const steps = { start: -cursor, end: text.length - cursor, left: -lengthBefore(text, cursor) }
    return { text, cursor: cursor + (to === 'right' ? lengthAfter(text, cursor) : steps[to]) }
  })
