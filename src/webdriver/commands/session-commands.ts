/** All commands of a session. */
import type { SessionCommand } from './command.ts'
import { ELEMENT_COMMANDS } from './element-commands.ts'
import { FIND_COMMANDS } from './find-commands.ts'
import { SCREEN_COMMANDS } from './screen-commands.ts'
import { SESSION_STATE_COMMANDS } from './session-state-commands.ts'

export const SESSION_COMMANDS: readonly SessionCommand[] = [
  ...SESSION_STATE_COMMANDS,
  ...FIND_COMMANDS,
  ...ELEMENT_COMMANDS,
  ...SCREEN_COMMANDS,
]
