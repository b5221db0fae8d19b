/**
 * The flat commands of gestures, whose data is in `flat/gestures.ts`, and of what the system lies over applications.
 */

import { shadeAction } from '../../../service/executions/actions/flat-actions.ts'
import { quoted } from '../../../service/executions/validation/show.ts'
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand, misuse } from '../flat/command.ts'
import { doubleTap, drag, pinch } from '../flat/gestures.ts'

const hideKeyboard: FlatCommand = {
  type: 'hide_keyboard',
  path: ['hide-keyboard'],
  shape: 'svc hide-keyboard',
  summary: 'close the keyboard; does nothing where none is shown',
  examples: ['svc hide-keyboard'],
}

const SHADES = ['notifications', 'quick-settings', 'close']

const shade: FlatCommand = {
  path: ['shade'],
  shape: 'svc shade (notifications | quick-settings | close)',
  summary: 'open the notifications or the quick settings, or close them',
  args: [{ name: 'shade', summary: SHADES.join(', '), required: true }],
  examples: ['svc shade notifications', 'svc shade close'],
  draft({ args: [word = ''] }) {
    const wanted = word.toLowerCase().replaceAll('_', '-')
    if (!SHADES.includes(wanted))
      throw misuse(shade, `${quoted(word)} is no shade`, `Give one of ${SHADES.join(', ')}.`)
    return shadeAction(wanted)
  },
}

const dialog: FlatCommand = {
  type: 'answer_dialog',
  path: ['dialog'],
  shape: 'svc dialog (accept | dismiss | <label>)',
  summary: 'answer the permission dialog or the alert in front',
  args: [{ name: 'answer', summary: 'accept, dismiss, or the label of a button', required: true, param: 'answer' }],
  examples: ['svc dialog accept', 'svc dialog dismiss', 'svc dialog "Only this time"'],
}

/** In the order of the help. */
export const GESTURE_COMMANDS: readonly FlatCommand[] = [doubleTap, drag, pinch, hideKeyboard, shade, dialog]

export const GESTURES: readonly Command[] = GESTURE_COMMANDS.map(commandOf)
