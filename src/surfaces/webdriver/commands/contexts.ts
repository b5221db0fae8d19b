/**
 * Contexts: the native application, and web views that let themselves be inspected; the commands that there are in
 * these alone, and those that mean the elements of the page there. What they ask for is loaded when it is needed.
 */

import { notNegative, optional, someText } from '../protocol/arguments.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import { mobileMethod, olderPath, type SessionCommand } from './command.ts'

const SUMMARIES = {
  'GET /title': 'In a web context, the title of the page.',
  'GET /url': 'In a web context, the address of the page.',
  'POST /url': 'In a web context, goes to an address, and waits until the page has loaded.',
  'POST /forward': 'In a web context, goes forward in the history of the page.',
  'POST /refresh': 'In a web context, loads the page again.',
  'GET /window': 'In a web context, the handle of the page.',
  'GET /window/handles': 'In a web context, the handles of all pages of the application.',
  'POST /window': 'In a web context, switches to another page of the application.',
  'POST /frame': 'In a web context, enters a frame of the same origin; id is null, a number or an element.',
  'POST /frame/parent': 'In a web context, leaves a frame.',
  'GET /element/:elementId/css/:name': 'In a web context, a computed style of an element.',
} as const satisfies Readonly<Record<`${'GET' | 'POST'} /${string}`, string>>
export type PageCommand = keyof typeof SUMMARIES

const ELSEWHERE: Partial<Readonly<Record<PageCommand, string>>> = {
  'POST /url': ' Deep links of the application are opened with mobile: deepLink.',
}

const commandOf = ([name, summary]: [PageCommand, string]): SessionCommand => {
  const [method = '', path = ''] = name.split(' ')
  return {
    method: method as SessionCommand['method'],
    path: path as SessionCommand['path'],
    summary,
    async run(session, input) {
      if (!session.web)
        throw new WebDriverError(
          'unsupported operation',
          `${name} is about the page of a web view, and the context is NATIVE_APP: switch to a web view first.${ELSEWHERE[name] ?? ''}`,
        )
      const { IN_PAGE } = await import('../web/in-page.ts')
      return await IN_PAGE[name](session, input)
    },
  }
}

export const PAGE_COMMANDS: readonly SessionCommand[] = (Object.entries(SUMMARIES) as [PageCommand, string][]).map(
  commandOf,
)

export const PAGE_MEANINGS = [
  'POST /element',
  'POST /elements',
  'GET /element/active',
  'POST /element/active',
  'POST /element/:elementId/element',
  'POST /element/:elementId/elements',
  'POST /element/:elementId/click',
  'POST /element/:elementId/clear',
  'POST /element/:elementId/value',
  'GET /element/:elementId/text',
  'GET /element/:elementId/attribute/:name',
  'GET /element/:elementId/property/:name',
  'GET /element/:elementId/displayed',
  'GET /element/:elementId/enabled',
  'GET /element/:elementId/selected',
  'GET /element/:elementId/rect',
  'GET /element/:elementId/name',
  'GET /element/:elementId/screenshot',
  'GET /source',
  'POST /back',
] as const
export type PageMeaning = (typeof PAGE_MEANINGS)[number]

export const inEitherContext = (command: SessionCommand): SessionCommand => {
  const meaning = PAGE_MEANINGS.find(each => each === `${command.method} ${command.path}`)
  if (meaning === undefined) return command
  return {
    ...command,
    async run(session, input) {
      if (!session.web) return await command.run(session, input)
      const { IN_PAGE } = await import('../web/in-page.ts')
      return await IN_PAGE[meaning](session, input)
    },
  }
}

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
