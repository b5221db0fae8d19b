/** Where an element is on the screen, and how clients name one in arguments. */
import * as v from 'valibot'
import { type Bounds, centreOf } from '../../../contracts/device/ui-tree.ts'
import { ELEMENT_KEY, elementMatcher, seeElement } from '../commands/elements.ts'
import { unsupported } from '../protocol/arguments.ts'
import type { LiveSession, SessionStep } from '../session/live-session.ts'

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

const isOfPage = ({ web, webElements }: LiveSession, elementId: string): boolean =>
  web !== undefined && webElements.has(elementId)

/** Throws `unsupported operation` for an element of a page, whose place on the screen is known to touches alone. */
export const refusePageElement = (session: LiveSession, elementId: string): void => {
  if (isOfPage(session, elementId))
    throw unsupported(
      `The element ${elementId} is of a page, and pages give a place to clickGesture, longClickGesture and doubleClickGesture alone. Give the gesture its place in pixels of the screen, scroll the page by a script with scrollIntoView, or find the element in NATIVE_APP.`,
    )
}

/** The matcher of an element for a touch; in a web context also of one of the page, which brings it into view. */
export const touchMatcher = async (session: LiveSession, elementId: string) => {
  if (!isOfPage(session, elementId)) return elementMatcher(session, elementId)
  const { elementIn } = await import('../web/page-calls.ts')
  return { pageElement: elementIn(session, elementId) }
}

/** Performs the steps of a touch. What a page refuses is told by its reason. */
export const touch = async (
  session: LiveSession,
  elementId: string | undefined,
  steps: readonly SessionStep[],
): Promise<void> => {
  if (elementId === undefined || !isOfPage(session, elementId)) {
    await session.act(steps)
    return
  }
  const [{ actInPage }, { settle }] = await Promise.all([import('../web/page-calls.ts'), import('../web/loading.ts')])
  await actInPage(session, steps)
  await settle(session)
}

/** Reads the screen. Throws `stale element reference`. */
export const boundsOfElement = async (session: LiveSession, elementId: string): Promise<Bounds> => {
  refusePageElement(session, elementId)
  return (await seeElement(session, elementId)).found.node.bounds
}

export const centreOfElement = async (session: LiveSession, elementId: string) =>
  centreOf(await boundsOfElement(session, elementId))
