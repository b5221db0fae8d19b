/** The clipboard and the shell. */
import type { Cards } from '../card.ts'
import { asText, join, programIn } from '../words.ts'

export const PHONE_CARDS = {
  get_clipboard: {
    effect: 'looks',
    repeat: 'safe',
    by: 'link',
    touchesFront: true,
    data: ['text'],
    failures: ['CLIPBOARD_UNAVAILABLE'],
    words: () => 'Read the clipboard',
    done: ({ text }) => (text === '' ? 'The clipboard is empty' : 'Read the clipboard'),
  },
  set_clipboard: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: true,
    data: ['text'],
    failures: ['CLIPBOARD_UNAVAILABLE'],
    words: () => 'Set the clipboard',
    done: () => 'Set the clipboard',
  },
  shell: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: true,
    // A command line that did not end in time has done what it came to.
    mayActAndFail: () => true,
    data: ['stdout', 'stderr', 'exit_code'],
    notes: ['truncated', 'stdout_bytes', 'stderr_bytes'],
    failures: ['ACTION_FAILED'],
    words: ({ command }) => join('Run', programIn(asText(command)) || 'a command', 'in the shell'),
    done: ({ exit_code }) => join('Exit code', exit_code),
  },
} as const satisfies Partial<Cards>
