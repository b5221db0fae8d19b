/** Actions on what the system lies over applications: hide_keyboard, expand_shade, collapse_shade, answer_dialog. */
import * as v from 'valibot'
import { closedObject } from '../json/objects.ts'
import { visibleText } from '../json/scalars.ts'
import { DIALOG_ANSWER_CHARS_MAX } from '../limits/gesture-limits.ts'
import { action, NoParams } from './shape.ts'

export const HideKeyboard = action('hide_keyboard', v.exactOptional(NoParams))

export const Shade = v.picklist(['notifications', 'quick_settings'])
export type Shade = v.InferOutput<typeof Shade>

export const ExpandShade = action('expand_shade', closedObject({ shade: Shade }))

export const CollapseShade = action('collapse_shade', v.exactOptional(NoParams))

/** `accept`, `dismiss`, or the label of a button. */
export const AnswerDialog = action('answer_dialog', closedObject({ answer: visibleText(DIALOG_ANSWER_CHARS_MAX) }))
