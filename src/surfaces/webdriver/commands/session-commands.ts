/**
 * All commands of a session: those about itself, those that are refused by name, and all others from the files of
 * their groups.
 */

import { unsupported } from '../protocol/arguments.ts'
import { changeTimeouts } from '../session/timeouts.ts'
import { ALERT_COMMANDS } from './alert.ts'
import { APPIUM_APP_COMMANDS } from './appium-apps.ts'
import { APPIUM_DEVICE_COMMANDS } from './appium-device.ts'
import { APPIUM_SETTING_COMMANDS } from './appium-settings.ts'
import type { SessionCommand } from './command.ts'
import { CONTEXT_COMMANDS, inEitherContext, PAGE_COMMANDS } from './contexts.ts'
import { ELEMENT_COMMANDS } from './element-commands.ts'
import { FIND_COMMANDS } from './find-commands.ts'
import { LOG_COMMANDS } from './logs.ts'
import { ORIENTATION_COMMANDS } from './orientation.ts'
import { RECORDING_COMMANDS } from './recordings.ts'
import { ACTION_COMMANDS, SCREEN_COMMANDS } from './screen-commands.ts'
import { SCRIPT_COMMANDS } from './script.ts'

export const FURTHER_COMMANDS: readonly SessionCommand[] = [
  ...ACTION_COMMANDS,
  ...SCRIPT_COMMANDS,
  ...ALERT_COMMANDS,
  ...ORIENTATION_COMMANDS,
  ...CONTEXT_COMMANDS,
  ...APPIUM_APP_COMMANDS,
  ...APPIUM_DEVICE_COMMANDS,
  ...APPIUM_SETTING_COMMANDS,
  ...LOG_COMMANDS,
  ...RECORDING_COMMANDS,
]

const COOKIES = 'Cookies are not offered: read and write those of the page by a script, as document.cookie.'
const WINDOWS = 'Windows of web views belong to the application: it opens, closes and sizes them.'
const SHADOW = 'Shadow roots are not offered as such: reach into one by a script, as element.shadowRoot.'
const ROLES = 'Computed roles and labels are not offered: read attributes, or the element in NATIVE_APP.'

const REFUSED: readonly (readonly [SessionCommand['method'], SessionCommand['path'], reason: string])[] = [
  ['GET', '/cookie', COOKIES],
  ['POST', '/cookie', COOKIES],
  ['DELETE', '/cookie', COOKIES],
  ['GET', '/cookie/:name', COOKIES],
  ['DELETE', '/cookie/:name', COOKIES],
  ['DELETE', '/window', WINDOWS],
  ['POST', '/window/new', WINDOWS],
  ['POST', '/window/rect', WINDOWS],
  ['POST', '/window/maximize', WINDOWS],
  ['POST', '/window/minimize', WINDOWS],
  ['POST', '/window/fullscreen', WINDOWS],
  ['POST', '/print', 'Pages are not printed: take a screenshot.'],
  ['GET', '/element/:elementId/shadow', SHADOW],
  ['GET', '/element/:elementId/computedrole', ROLES],
  ['GET', '/element/:elementId/computedlabel', ROLES],
]

/** Commands of W3C WebDriver that are refused by name, with what to do instead. */
const REFUSED_COMMANDS: readonly SessionCommand[] = REFUSED.map(([method, path, reason]) => ({
  method,
  path,
  summary: `Not offered. ${reason}`,
  async run() {
    throw unsupported(reason)
  },
}))

/** Commands about the session itself: its capabilities and its timeouts. */
const SESSION_STATE_COMMANDS: readonly SessionCommand[] = [
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

export const SESSION_COMMANDS: readonly SessionCommand[] = [
  ...[...SESSION_STATE_COMMANDS, ...FIND_COMMANDS, ...ELEMENT_COMMANDS, ...SCREEN_COMMANDS, ...FURTHER_COMMANDS].map(
    inEitherContext,
  ),
  ...PAGE_COMMANDS,
  ...REFUSED_COMMANDS,
]
