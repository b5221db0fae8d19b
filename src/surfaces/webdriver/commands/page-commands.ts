/** Commands that there are in a web context alone. */
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { SessionCommand } from './command.ts'

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
