/** Actions on the texts that an operator app shows over other applications. */
import type { Cards } from '../card.ts'
import { asText, join, quoted } from '../words.ts'

export const OVERLAY_CARDS = {
  show_toast: {
    effect: 'acts',
    repeat: 'never',
    by: 'operator',
    needsApp: true,
    touchesFront: false,
    data: ['submitted', 'duration'],
    failures: ['SERVICE_UNAVAILABLE'],
    words: ({ text }) => join('Show', quoted(asText(text))),
    done: () => 'Showed a message',
  },
  cancel_toast: {
    effect: 'acts',
    repeat: 'never',
    by: 'operator',
    needsApp: true,
    touchesFront: false,
    data: ['submitted'],
    failures: [],
    words: () => 'Hide the message',
    done: () => 'Took the message away',
  },
  set_on_screen_log: {
    effect: 'acts',
    repeat: 'never',
    by: 'operator',
    needsApp: true,
    touchesFront: false,
    data: ['visible', 'rendered', 'truncated'],
    failures: ['ON_SCREEN_LOG_UNAVAILABLE', 'ON_SCREEN_LOG_RENDER_FAILED', 'ON_SCREEN_LOG_TEMPLATE_FAILED'],
    words: () => 'Show the on-screen log',
    done: () => 'Set the log on the screen',
  },
  clear_on_screen_log: {
    effect: 'acts',
    repeat: 'never',
    by: 'operator',
    needsApp: true,
    touchesFront: false,
    data: ['visible'],
    failures: [],
    words: () => 'Clear the on-screen log',
    done: () => 'Cleared the log on the screen',
  },
} as const satisfies Partial<Cards>
