/** The keyboard, the shade and dialogs. */
import type { Cards } from '../card.ts'
import { asLiteral, asText, join, quoted } from '../words.ts'
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
    done: () => 'Hid the keyboard',
  },
  expand_shade: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: false,
    data: [],
    failures: ['GLOBAL_ACTION_FAILED'],
    words: ({ shade }) => (shade === 'quick_settings' ? 'Open the quick settings' : 'Open the notifications'),
    done: () => 'Opened the shade',
  },
  collapse_shade: {
    effect: 'acts',
    repeat: 'never',
    by: 'screen',
    touchesFront: false,
    data: [],
    failures: ['GLOBAL_ACTION_FAILED'],
    words: () => 'Close the shade',
    done: () => 'Closed the shade',
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
    done: ({ button, title }) => join('Chose', asLiteral(button), title && `in ${asLiteral(title)}`),
  },
} as const satisfies Partial<Cards>
