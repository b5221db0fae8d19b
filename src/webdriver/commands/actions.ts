/** W3C actions: fingers and keys, performed as one execution. */
import { planGestures } from '../gestures/gesture-steps.ts'
import { readActions } from '../gestures/read-actions.ts'
import type { SessionCommand } from './command.ts'

export const ACTION_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'POST',
    path: '/actions',
    summary: 'Performs fingers and keys: taps, holds, swipes, drags, pinches and text, as one execution.',
    async run(session, { body }) {
      const { steps, timeoutMs } = await planGestures(session, readActions(body))
      if (steps.length > 0) await session.act(steps, { timeoutMs })
      return null
    },
  },
  {
    method: 'DELETE',
    path: '/actions',
    summary: 'Nothing to release: each request ends with all fingers up.',
    run: async () => null,
  },
]
