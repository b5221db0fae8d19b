/** Where an element is: by its matcher, in the execution itself, or on the screen as it is before. */
import * as v from 'valibot'
import { type Bounds, centreOf, type UiNode } from '../../operator/engine/ui-tree.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'

/** The key under which W3C clients send an element. */
export const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'

/** Clients name an element by its id, or send the whole element. */
export const elementReference = v.union(
  [
    v.pipe(v.string(), v.minLength(1)),
    v.pipe(
      v.object({ [ELEMENT_KEY]: v.string() }),
      v.transform(element => String(element[ELEMENT_KEY])),
    ),
  ],
  'must be the id of an element',
)

export const elementMatcher = (session: LiveSession, elementId: string) => ({
  element: session.elements.identityOf(elementId),
})

const nodeAt = (roots: readonly UiNode[], path: string): UiNode | undefined => {
  let nodes = roots
  let found: UiNode | undefined
  for (const index of path.split('.').map(Number)) {
    found = nodes[index]
    nodes = found?.children ?? []
  }
  return found
}

/** Reads the screen. Throws `stale element reference`. */
export const boundsOfElement = async (session: LiveSession, elementId: string): Promise<Bounds> => {
  const identity = session.elements.identityOf(elementId)
  const { tree } = await session.look()
  const node = nodeAt(tree.roots, identity.path)
  if (node?.className === identity.className && node.resourceId === identity.resourceId) return node.bounds
  throw new WebDriverError('stale element reference', `The element ${elementId} is not on the screen any more.`)
}

export const centreOfElement = async (session: LiveSession, elementId: string) =>
  centreOf(await boundsOfElement(session, elementId))
