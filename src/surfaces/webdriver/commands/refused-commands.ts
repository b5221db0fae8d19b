/** Commands of W3C WebDriver that are refused by name, with what to do instead. */
import { unsupported } from '../protocol/arguments.ts'
import type { SessionCommand } from './command.ts'

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

export const REFUSED_COMMANDS: readonly SessionCommand[] = REFUSED.map(([method, path, reason]) => ({
  method,
  path,
  summary: `Not offered. ${reason}`,
  async run() {
    throw unsupported(reason)
  },
}))
