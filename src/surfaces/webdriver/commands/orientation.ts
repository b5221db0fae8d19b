/** How the screen is turned: by its two orientations, and in degrees. */
import * as v from 'valibot'
import type { Orientation } from '../../../contracts/device/setting-names.ts'
import { change } from '../mobile/settings.ts'
import { number } from '../protocol/arguments.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import { deviceOf, type LiveSession } from '../session/live-session.ts'
import { olderPath, type SessionCommand } from './command.ts'

const ORIENTATIONS = { PORTRAIT: 'portrait', LANDSCAPE: 'landscape_left' } as const

const orientation = v.pipe(
  v.string('must be a text'),
  v.transform(word => word.toUpperCase()),
  v.picklist(['PORTRAIT', 'LANDSCAPE'], 'must be PORTRAIT or LANDSCAPE'),
)

const presentOrientation = async (session: LiveSession): Promise<'PORTRAIT' | 'LANDSCAPE'> => {
  const { orientation: present } = await deviceOf(session)
  if (present === undefined)
    throw new WebDriverError('unknown error', 'The device does not say how its screen is turned.')
  return present === 'landscape' ? 'LANDSCAPE' : 'PORTRAIT'
}

const QUARTER = 90
/** By quarter turns, as the tree of the screen counts them. */
const TURNED: readonly Orientation[] = ['portrait', 'landscape_left', 'upside_down', 'landscape_right']

export const ORIENTATION_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'GET',
    path: '/orientation',
    summary: 'PORTRAIT or LANDSCAPE, as the screen is turned now.',
    run: presentOrientation,
  },
  olderPath({
    path: '/orientation',
    summary: 'Turns the screen to PORTRAIT or LANDSCAPE, and keeps it there.',
    args: { orientation },
    async run(session, { orientation: wanted }) {
      session.screenSize = undefined
      await session.act([change('orientation', ORIENTATIONS[wanted])])
      if ((await presentOrientation(session)) === wanted) return null
      throw new WebDriverError(
        'invalid element state',
        `The screen is locked to ${wanted}, but the application in front keeps an orientation of its own.`,
      )
    },
  }),
  {
    method: 'GET',
    path: '/rotation',
    summary: 'How far the screen is turned: {x: 0, y: 0, z: degrees}.',
    run: async session => ({ x: 0, y: 0, z: (await session.look()).tree.rotation * QUARTER }),
  },
  olderPath({
    path: '/rotation',
    summary: 'Turns the screen by z degrees: 0, 90, 180 or 270. x and y are 0.',
    args: {
      x: v.literal(0, 'must be 0'),
      y: v.literal(0, 'must be 0'),
      z: v.pipe(
        number,
        v.check(z => [0, 1, 2, 3].includes(z / QUARTER), 'must be 0, 90, 180 or 270'),
      ),
    },
    async run(session, { z }) {
      session.screenSize = undefined
      await session.act([change('orientation', TURNED[z / QUARTER])])
      return null
    },
  }),
]
