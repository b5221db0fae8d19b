/** All commands of a session. */
import type { SessionCommand } from './command.ts'
import { inEitherContext } from './either-context.ts'
import { ELEMENT_COMMANDS } from './element-commands.ts'
import { FIND_COMMANDS } from './find-commands.ts'
import { FURTHER_COMMANDS } from './further-commands.ts'
import { PAGE_COMMANDS } from './page-commands.ts'
import { REFUSED_COMMANDS } from './refused-commands.ts'
import { SCREEN_COMMANDS } from './screen-commands.ts'
import { SESSION_STATE_COMMANDS } from './session-state-commands.ts'

export const SESSION_COMMANDS: readonly SessionCommand[] = [
  ...[...SESSION_STATE_COMMANDS, ...FIND_COMMANDS, ...ELEMENT_COMMANDS, ...SCREEN_COMMANDS, ...FURTHER_COMMANDS].map(
    inEitherContext,
  ),
  ...PAGE_COMMANDS,
  ...REFUSED_COMMANDS,
]
