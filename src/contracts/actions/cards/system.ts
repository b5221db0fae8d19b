/** The keyboard, the shade and dialogs. */
import type { Cards } from '../card.ts'
import { asText, join, quoted } from '../words.ts'
import { NO_HIERARCHY } from './failures.ts'

export const SYSTEM_CARDS = {
  hide_keyboard: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: true,
    contains: ['press_key'],
    data: [],
    failures: ['GLOBAL_ACTION_FAILED'],
    words: () => 'Hide the keyboard',
  },
  expand_shade: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: false,
    data: [],
    failures: ['GLOBAL_ACTION_FAILED'],
    words: ({ shade }) => (shade === 'quick_settings' ? 'Open the quick settings' : 'Open the notifications'),
  },
  collapse_shade: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: false,
    data: [],
    failures: ['GLOBAL_ACTION_FAILED'],
    words: () => 'Close the shade',
  },
  answer_dialog: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: true,
    // The answer hands out the title.
    contains: ['click', 'read_text'],
    data: ['button', 'title'],
    failures: ['DIALOG_NOT_FOUND', 'GESTURE_FAILED', NO_HIERARCHY],
    words: ({ answer }) => join('Answer the dialog:', quoted(asText(answer))),
  },
} as const satisfies Partial<Cards>
