/** Commands about the session itself: its capabilities and its timeouts. */
import { changeTimeouts } from '../session/timeouts.ts'
import type { SessionCommand } from './command.ts'

export const SESSION_STATE_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'GET',
    path: '',
    summary: 'The capabilities of the session.',
    run: async ({ capabilities }) => capabilities,
  },
  {
    method: 'GET',
    path: '/timeouts',
    summary: 'The timeouts of the session, in ms.',
    run: async ({ timeouts }) => ({ ...timeouts }),
  },
  {
    method: 'POST',
    path: '/timeouts',
    summary: 'Changes timeouts of the session.',
    async run({ timeouts }, { body }) {
      changeTimeouts(timeouts, body)
      return null
    },
  },
]
