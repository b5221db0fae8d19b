/** Actions on what the system lies over applications: hide_keyboard, expand_shade, collapse_shade, answer_dialog. */
import * as v from 'valibot'
import { closedObject } from '../json/objects.ts'
import { visibleText } from '../json/scalars.ts'
import { DIALOG_ANSWER_CHARS_MAX } from '../limits/gesture-limits.ts'
import { action, NoParams } from './shape.ts'

export const Shade = v.picklist(['notifications', 'quick_settings'])
export type Shade = v.InferOutput<typeof Shade>

export const SYSTEM_ACTIONS = [
  action('hide_keyboard', v.exactOptional(NoParams)),
  action('expand_shade', closedObject({ shade: Shade })),
  action('collapse_shade', v.exactOptional(NoParams)),
  /** `accept`, `dismiss`, or the label of a button. */
  action('answer_dialog', closedObject({ answer: visibleText(DIALOG_ANSWER_CHARS_MAX) })),
] as const
