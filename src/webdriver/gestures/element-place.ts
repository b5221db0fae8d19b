/** Where an element is on the screen, and how clients name one in arguments. */
import * as v from 'valibot'
import { type Bounds, centreOf } from '../../operator/engine/ui-tree.ts'
import { ELEMENT_KEY, seeElement } from '../commands/elements.ts'
import type { LiveSession } from '../session/live-session.ts'

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

/** Reads the screen. Throws `stale element reference`. */
export const boundsOfElement = async (session: LiveSession, elementId: string): Promise<Bounds> =>
  (await seeElement(session, elementId)).found.node.bounds

export const centreOfElement = async (session: LiveSession, elementId: string) =>
  centreOf(await boundsOfElement(session, elementId))
