/** Commands on the whole screen, and the key back. */

import type { SeenScreen } from '../session/live-session.ts'
import { pageSource } from '../source/page-source.ts'
import type { SessionCommand } from './command.ts'
import { takePicture } from './element-commands.ts'

/** The windows of the screen reach to its edges. */
const sizeOf = ({ tree }: SeenScreen) => ({
  width: Math.max(0, ...tree.roots.map(({ bounds }) => bounds.right)),
  height: Math.max(0, ...tree.roots.map(({ bounds }) => bounds.bottom)),
})

export const SCREEN_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'GET',
    path: '/source',
    summary: 'The hierarchy of the screen as XML.',
    async run(session) {
      const screen = await session.look()
      return pageSource(screen.tree, sizeOf(screen))
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
    run: async session => ({ x: 0, y: 0, ...sizeOf(await session.look()) }),
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
