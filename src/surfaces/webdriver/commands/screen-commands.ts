/** Commands on the whole screen: its picture, fingers and keys as W3C actions, and the key back. */

import type { ReadScreen } from '../../../service/read-screens.ts'
import { planGestures } from '../gestures/gesture-steps.ts'
import { type InputSource, readActions } from '../gestures/read-actions.ts'
import { readScreenSize } from '../gestures/screen-bounds.ts'
import { unsupported } from '../protocol/arguments.ts'
import type { LiveSession, ScreenSize } from '../session/live-session.ts'
import type { SessionCommand } from './command.ts'
import { takePicture } from './element-commands.ts'

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

/** A window at the corner reaches to the edges of the screen; a dialog does not, and then the phone is asked. */
const sizeOf = async (session: LiveSession, { tree: { roots } }: ReadScreen): Promise<ScreenSize> => {
  const isWhole = roots.some(({ bounds }) => bounds.left === 0 && bounds.top === 0)
  const size = isWhole ? undefined : await readScreenSize(session)
  return (
    size ?? {
      width: Math.max(0, ...roots.map(({ bounds }) => bounds.right)),
      height: Math.max(0, ...roots.map(({ bounds }) => bounds.bottom)),
    }
  )
}

export const SCREEN_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'GET',
    path: '/source',
    summary: 'The hierarchy of the screen as XML.',
    async run(session) {
      const screen = await session.look()
      return screen.pageSource(await sizeOf(session, screen))
    },
  },
  {
    method: 'GET',
    path: '/screenshot',
    summary: 'A picture of the screen, as base64 of a PNG.',
    run: session => takePicture(session),
  },
  {
    method: 'GET',
    path: '/window/rect',
    summary: 'The size of the screen.',
    run: async session => ({ x: 0, y: 0, ...(await sizeOf(session, await session.look())) }),
  },
  {
    method: 'POST',
    path: '/back',
    summary: 'Presses the key back.',
    async run(session) {
      await session.act([{ type: 'press_key', params: { key: 'back' } }])
      return null
    },
  },
]
