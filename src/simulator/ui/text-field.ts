/** Typing into the field that has the focus. */
import type { ScenarioNode } from '../scenario/node.ts'
import { type EffectsContext, perform } from './effects.ts'
import { type Changes, type Entry, lookOf } from './entry.ts'

const FIELD_CHARS_MAX = 100_000

export interface FieldContext extends EffectsContext {
  entry: Entry
}

const textOf = (field: ScenarioNode, entry: Entry, changes: Changes): string => lookOf(field, entry, changes).text

/** The cursor goes to the end, whatever the field holds. */
export const focusOn = (entry: Entry, field: ScenarioNode, changes: Changes): void => {
  entry.focus = { field, cursor: textOf(field, entry, changes).length }
}

/** Replaces what is between the two places; does nothing without a field to type into. */
const edit = (context: FieldContext, make: (text: string, cursor: number) => { text: string; cursor: number }) => {
  const { entry, changes } = context
  if (!entry.focus?.field.editable) return
  const { field } = entry.focus
  if (!lookOf(field, entry, changes).enabled) return
  const before = textOf(field, entry, changes)
  const { text, cursor } = make(before, Math.min(entry.focus.cursor, before.length))
  entry.focus.cursor = cursor
  if (text === before) return
  entry.typed.set(field, text)
  perform(field.onText, entry.app, context, { values: { text }, occasions: [text] })
}

export const type = (context: FieldContext, typed: string): void =>
  edit(context, (text, cursor) => {
    const taken = typed.slice(0, Math.max(0, FIELD_CHARS_MAX - text.length))
    return { text: text.slice(0, cursor) + taken + text.slice(cursor), cursor: cursor + taken.length }
  })

/** A letter outside the first 65,536 is two units long. */
const lengthBefore = (text: string, cursor: number) => [...text.slice(0, cursor)].at(-1)?.length ?? 0
const lengthAfter = (text: string, cursor: number) => [...text.slice(cursor)][0]?.length ?? 0

export const deleteBefore = (context: FieldContext): void =>
  edit(context, (text, cursor) => {
    const start = cursor - lengthBefore(text, cursor)
    return { text: text.slice(0, start) + text.slice(cursor), cursor: start }
  })

export const deleteAfter = (context: FieldContext): void =>
  edit(context, (text, cursor) => ({
    text: text.slice(0, cursor) + text.slice(cursor + lengthAfter(text, cursor)),
    cursor,
  }))

export const replaceAll = (context: FieldContext, typed: string): void =>
  edit(context, () => ({ text: typed.slice(0, FIELD_CHARS_MAX), cursor: Math.min(typed.length, FIELD_CHARS_MAX) }))

export const moveCursor = (context: FieldContext, to: 'start' | 'end' | 'left' | 'right'): void =>
  edit(context, (text, cursor) => {
    const steps = { start: -cursor, end: text.length - cursor, left: -lengthBefore(text, cursor) }
    return { text, cursor: cursor + (to === 'right' ? lengthAfter(text, cursor) : steps[to]) }
  })
