/** get_clipboard, set_clipboard and shell. */
import { runCallerCommand } from '../operators/shell/caller-command.ts'
import { getClipboard, setClipboard } from '../operators/shell/clipboard.ts'
import type { Performers } from './performer.ts'

export const PHONE_STEPS = {
  get_clipboard: { link: (_, options) => getClipboard(options) },
  set_clipboard: { link: setClipboard },
  shell: { link: ({ command }, options) => runCallerCommand(command, options) },
} as const satisfies Partial<Performers>
