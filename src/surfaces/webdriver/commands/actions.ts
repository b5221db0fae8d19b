/** W3C actions: fingers and keys, performed as one execution. */
import { planGestures } from '../gestures/gesture-steps.ts'
import { type InputSource, readActions } from '../gestures/read-actions.ts'
import { unsupported } from '../protocol/arguments.ts'
import type { SessionCommand } from './command.ts'

/** Places of pointers are pixels of the screen here, and those of a page in a web context: nothing is touched for the other. */
const refusePointers = (sources: readonly InputSource[]): void => {
  if (sources.every(({ type }) => type !== 'pointer')) return
  throw unsupported(
    'Pointer actions are not offered in a web context: click elements there, or switch to NATIVE_APP, whose actions are in pixels of the screen.',
  )
}

export const ACTION_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'POST',
    path: '/actions',
    summary: 'Performs fingers and keys: taps, holds, swipes, drags, pinches and text, as one execution.',
    async run(session, { body }) {
      const sources = readActions(body)
      if (session.web) refusePointers(sources)
      const { steps, timeoutMs } = await planGestures(session, sources)
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
