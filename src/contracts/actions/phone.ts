/** Actions on the phone beside its screen: get_clipboard, set_clipboard, shell. */
import * as v from 'valibot'
import { closedObject } from '../json/objects.ts'
import { text } from '../json/scalars.ts'
import { CLIPBOARD_CHARS_MAX, SHELL_COMMAND_BYTES_MAX } from '../limits/shell-limits.ts'
import { action, NoParams } from './shape.ts'

const LINE = /^(?=.*\S)[^\0\n\r\p{Cs}]*$/u

export const PHONE_ACTIONS = [
  action('get_clipboard', v.exactOptional(NoParams)),
  action('set_clipboard', closedObject({ text: text(0, CLIPBOARD_CHARS_MAX) })),
  action(
    'shell',
    closedObject({
      command: v.pipe(
        v.string(),
        v.regex(LINE, 'must be one line that is not blank, and must not contain NUL or a lone surrogate'),
        v.check(
          command => new TextEncoder().encode(command).length <= SHELL_COMMAND_BYTES_MAX,
          `must have at most ${SHELL_COMMAND_BYTES_MAX} bytes`,
        ),
        v.metadata({ minLength: 1, maxLength: SHELL_COMMAND_BYTES_MAX }),
      ),
    }),
  ),
] as const
