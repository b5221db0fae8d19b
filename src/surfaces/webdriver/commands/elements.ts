/** Elements in commands: how they are told to clients, and the node of an element on the screen now. */
import type { ElementIdentity } from '../../../contracts/device/element-identity.ts'
import type { FoundNode } from '../../../contracts/device/ui-tree.ts'
import type { ReadScreen } from '../../../service/read-screens.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { LiveSession } from '../session/live-session.ts'

/** The key of W3C WebDriver under which an element is told. */
export const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'

/** Older clients read the other key, which Appium sends too. */
export const elementValue = (elementId: string): Record<string, string> => ({
  [ELEMENT_KEY]: elementId,
  ELEMENT: elementId,
})

export const staleElement = (elementId: string, reason: string): WebDriverError =>
  new WebDriverError(
    'stale element reference',
    `The element ${elementId} is not on the screen any more: ${reason}. Find it again.`,
  )

export interface SeenElement {
  readonly identity: ElementIdentity
  readonly found: FoundNode
  readonly screen: ReadScreen
}

/** One read of the screen. Throws WebDriverError. */
export const seeElement = async (session: LiveSession, elementId = ''): Promise<SeenElement> => {
  const identity = session.elements.identityOf(elementId)
  const screen = await session.look()
  const there = screen.find(identity)
  if (!there.ok) throw staleElement(elementId, there.reason)
  return { identity, found: there.found, screen }
}

/** The matcher of an element; acting by it looks once and acts once. */
export const elementMatcher = (session: LiveSession, elementId = '') => ({
  element: session.elements.identityOf(elementId),
})
