/** Commands on the whole screen, and the key back. */

import type { ReadScreen } from '../../../service/read-screens.ts'
import { readScreenSize } from '../gestures/screen-bounds.ts'
import type { LiveSession, ScreenSize } from '../session/live-session.ts'
import type { SessionCommand } from './command.ts'
import { takePicture } from './element-commands.ts'

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
