/** Commands that find elements, on the whole screen or below an element, as long as the implicit wait says. */

import { type FoundNode, walk } from '../../../contracts/device/ui-tree.ts'
import { pause } from '../../../runtime/clock.ts'
import { shortText } from '../../../runtime/text/shortened-text.ts'
import type { ReadScreen } from '../../../service/read-screens.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { CommandInput, SessionCommand } from './command.ts'
import { elementValue, staleElement } from './elements.ts'

/** A screen that has not what is looked for is read again this much later. */
const LOOK_AGAIN_MS = 100

interface Wanted {
  readonly strategy: string
  readonly value: string
}

interface Found {
  readonly nodes: readonly FoundNode[]
  readonly screen: ReadScreen
}

const wantedIn = ({ using, value }: CommandInput['body']): Wanted => {
  if (typeof using !== 'string')
    throw new WebDriverError('invalid argument', 'The body must have using, the name of a locator strategy.')
  if (typeof value !== 'string')
    throw new WebDriverError('invalid argument', 'The body must have value, the selector as a text.')
  return { strategy: using, value }
}

const parentOn = (screen: ReadScreen, session: LiveSession, parentId: string | undefined): FoundNode | undefined => {
  if (parentId === undefined) return undefined
  const parent = screen.find(session.elements.identityOf(parentId))
  if (!parent.ok) throw staleElement(parentId, parent.reason)
  return parent.found
}

const looked = async (session: LiveSession, wanted: Wanted, parentId: string | undefined): Promise<Found> => {
  const screen = await session.look()
  const within = parentOn(screen, session, parentId)
  const located = await screen.locate({ ...wanted, within, signal: session.ended })
  if (!located.ok) throw new WebDriverError('invalid selector', located.message)
  return { nodes: located.nodes, screen }
}

/** Expressions with UiScrollable scroll by executions of the session, one for each swipe. */
const scrolled = async (session: LiveSession, { value }: Wanted): Promise<Found> => {
  const scrolledTo = await session.screens.scrollIntoView(value, {
    look: () => session.look(),
    signal: session.ended,
    async scroll(container, direction) {
      const [step] = await session.act([{ type: 'scroll', params: { container: { element: container }, direction } }])
      return step?.data.scroll_outcome === 'moved' ? 'moved' : 'edge_reached'
    },
  })
  if (scrolledTo.ok) return { nodes: scrolledTo.nodes, screen: scrolledTo.sight }
  throw new WebDriverError('invalid selector', scrolledTo.message)
}

const isScrolling = ({ screens }: LiveSession, { strategy, value }: Wanted): boolean =>
  strategy === '-android uiautomator' && screens.mayScrollFor(value)

/** Reads the screen again and again until something is found or the implicit wait is over. */
const search = async (session: LiveSession, { body, path }: CommandInput): Promise<Found & { wanted: Wanted }> => {
  const wanted = wantedIn(body)
  const { clock, timeouts, ended } = session
  const until = clock.elapsed() + timeouts.implicit
  for (;;) {
    const found = isScrolling(session, wanted)
      ? await scrolled(session, wanted)
      : await looked(session, wanted, path.elementId)
    const left = until - clock.elapsed()
    if (found.nodes.length > 0 || left <= 0 || ended.aborted) return { ...found, wanted }
    await pause(clock, Math.min(left, LOOK_AGAIN_MS), ended)
  }
}

const findOne: SessionCommand['run'] = async (session, input) => {
  const { nodes, screen, wanted } = await search(session, input)
  const [node] = nodes
  if (node) return elementValue(session.elements.idOf(screen.identify(node)))
  const waited = session.timeouts.implicit > 0 ? ` within ${session.timeouts.implicit} ms` : ''
  throw new WebDriverError(
    'no such element',
    `No element is found by ${wanted.strategy} ${JSON.stringify(shortText(wanted.value))}${waited}.`,
  )
}

const findAll: SessionCommand['run'] = async (session, input) => {
  const { nodes, screen } = await search(session, input)
  return nodes.map(node => elementValue(session.elements.idOf(screen.identify(node))))
}

const active: SessionCommand['run'] = async session => {
  const screen = await session.look()
  for (const found of walk(screen.tree.roots))
    if (found.node.focused) return elementValue(session.elements.idOf(screen.identify(found)))
  throw new WebDriverError('no such element', 'No element has the focus.')
}

export const FIND_COMMANDS: readonly SessionCommand[] = [
  { method: 'POST', path: '/element', summary: 'Finds the first element by a locator strategy.', run: findOne },
  { method: 'POST', path: '/elements', summary: 'Finds all elements by a locator strategy.', run: findAll },
  { method: 'GET', path: '/element/active', summary: 'The element that has the focus.', run: active },
  { method: 'POST', path: '/element/active', summary: 'The same, as older clients ask.', run: active },
  {
    method: 'POST',
    path: '/element/:elementId/element',
    summary: 'Finds the first element below another one.',
    run: findOne,
  },
  {
    method: 'POST',
    path: '/element/:elementId/elements',
    summary: 'Finds all elements below another one.',
    run: findAll,
  },
]
