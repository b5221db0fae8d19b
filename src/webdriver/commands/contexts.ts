/** Contexts: the native application is the only one, and what is in its web views is not offered as a page. */

import { mobileMethod, olderPath } from '../mobile/mobile-method.ts'
import { number, optional, someText } from '../protocol/arguments.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { SessionCommand } from './command.ts'

const NATIVE = 'NATIVE_APP'
/** As Selendroid called it; clients of it still do. */
const NATIVE_NAMES = [NATIVE, 'NATIVE']

const switchTo = (session: LiveSession, name: string): null => {
  if (!NATIVE_NAMES.includes(name))
    throw new WebDriverError(
      'no such context',
      `There is no context ${name}: only ${NATIVE} is supported. Elements of pages that an application shows are found there, by what the accessibility tree says of them.`,
    )
  session.context = NATIVE
  return null
}

export const CONTEXT_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'GET',
    path: '/contexts',
    summary: 'The contexts: NATIVE_APP alone.',
    run: async () => [NATIVE],
  },
  {
    method: 'GET',
    path: '/context',
    summary: 'The context that commands are for.',
    run: async ({ context }) => context,
  },
  olderPath({
    path: '/context',
    summary: 'Switches to a context: NATIVE_APP.',
    args: { name: someText },
    run: async (session, { name }) => switchTo(session, name),
  }),
]

export const getContexts = mobileMethod({
  name: 'getContexts',
  summary: 'The web views that can be switched to: none.',
  args: { waitForWebviewMs: optional(number) },
  run: async () => [],
})
