/** Contexts: the native application, and web views that let themselves be inspected; what asks for these is loaded when it is needed. */
import { mobileMethod, olderPath } from '../mobile/mobile-method.ts'
import { notNegative, optional, someText } from '../protocol/arguments.ts'
import type { SessionCommand } from './command.ts'

const contexts = () => import('../web/contexts.ts')

export const CONTEXT_COMMANDS: readonly SessionCommand[] = [
  {
    method: 'GET',
    path: '/contexts',
    summary: 'The contexts: NATIVE_APP, and WEBVIEW_<package> of each application whose web views can be inspected.',
    run: async session => (await contexts()).contextNames(session),
  },
  {
    method: 'GET',
    path: '/context',
    summary: 'The context that commands are for.',
    run: async ({ context }) => context,
  },
  olderPath({
    path: '/context',
    summary: 'Switches to a context.',
    args: { name: someText },
    run: async (session, { name }) => (await contexts()).switchContext(session, name),
  }),
]

export const getContexts = mobileMethod({
  name: 'getContexts',
  summary: 'The web views that can be switched to, with their pages; waits for one for at most waitForWebviewMs.',
  args: { waitForWebviewMs: optional(notNegative) },
  run: async (session, { waitForWebviewMs }) => (await contexts()).detailedContexts(session, waitForWebviewMs),
})
