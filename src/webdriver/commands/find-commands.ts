/** Commands that find elements, on the whole screen or below an element, as long as the implicit wait says. */
import { findElement, identifyElement } from '../../operator/engine/element-identity.ts'
import { type FoundNode, walk } from '../../operator/engine/match.ts'
import { pause } from '../../runtime/clock.ts'
import { locate } from '../locators/locate.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession, SeenScreen } from '../session/live-session.ts'
import type { CommandInput, SessionCommand } from './command.ts'
import { elementValue, staleElement } from './elements.ts'

/** A screen that has not what is looked for is read again this much later. */
const LOOK_AGAIN_MS = 100

interface Wanted {
  readonly strategy: string
  readonly value: string
}

const wantedIn = ({ using, value }: CommandInput['body']): Wanted => {
  if (typeof using !== 'string')
    throw new WebDriverError('invalid argument', 'The body must have using, the name of a locator strategy.')
  if (typeof value !== 'string')
    throw new WebDriverError('invalid argument', 'The body must have value, the selector as a text.')
  return { strategy: using, value }
}

const locatedOn = async (screen: SeenScreen, wanted: Wanted, session: LiveSession, parentId: string | undefined) => {
  const { tree, foregroundPackage } = screen
  let within: FoundNode | undefined
  if (parentId !== undefined) {
    const parent = findElement(tree, session.elements.identityOf(parentId))
    if (!parent.ok) throw staleElement(parentId, parent.reason)
    within = parent.found
  }
  const located = await locate({
    ...wanted,
    tree,
    foregroundPackage,
    signal: session.ended,
    ...(within ? { within } : {}),
  })
  if (!located.ok) throw new WebDriverError('invalid selector', located.message)
  return located.nodes
}

/** Reads the screen again and again until something is found or the implicit wait is over. */
const search = async (session: LiveSession, { body, path }: CommandInput) => {
  const wanted = wantedIn(body)
  const { clock, timeouts, ended } = session
  const until = clock.elapsed() + timeouts.implicit
  for (;;) {
    const screen = await session.look()
    const nodes = await locatedOn(screen, wanted, session, path.elementId)
    const left = until - clock.elapsed()
    if (nodes.length > 0 || left <= 0 || ended.aborted) return { nodes, tree: screen.tree, wanted }
    await pause(clock, Math.min(left, LOOK_AGAIN_MS), ended)
  }
}

const findOne: SessionCommand['run'] = async (session, input) => {
  const { nodes, tree, wanted } = await search(session, input)
  const [node] = nodes
  if (node) return elementValue(session.elements.idOf(identifyElement(tree, node)))
  const waited = session.timeouts.implicit > 0 ? ` within ${session.timeouts.implicit} ms` : ''
  throw new WebDriverError(
    'no such element',
    `No element is found by ${wanted.strategy} ${JSON.stringify(wanted.value)}${waited}.`,
  )
}

const findAll: SessionCommand['run'] = async (session, input) => {
  const { nodes, tree } = await search(session, input)
  return nodes.map(node => elementValue(session.elements.idOf(identifyElement(tree, node))))
}

const active: SessionCommand['run'] = async session => {
  const { tree } = await session.look()
  for (const found of walk(tree.roots))
    if (found.node.focused) return elementValue(session.elements.idOf(identifyElement(tree, found)))
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
