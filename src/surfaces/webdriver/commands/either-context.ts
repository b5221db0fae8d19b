/** Commands that mean the elements of the page in a web context; what they do there is loaded with the first of them. */
import type { SessionCommand } from './command.ts'

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
