/** The elements that a session has given ids: a bounded number, of which the oldest are forgotten. */

import type { ElementIdentity } from '../../../contracts/device/element-identity.ts'
import type { PageElement } from '../../../contracts/device/page-element.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'
import type { SessionElements } from '../session/live-session.ts'

/**
 * The two memories of a session: native elements and those of pages. An id is of one of them, and the other says so.
 */
export const createElementMemories = (newId: () => string) => {
  const webElements = createElementMemory<PageElement>(newId, {
    // The label is how it was found last.
    sameBy: ({ label: _, ...element }) => element,
    elsewhere: id =>
      elements.has(id)
        ? `The element ${id} is of the native application, and the context is a web view: switch to NATIVE_APP, or find it in the page.`
        : undefined,
  })
  const elements: ReturnType<typeof createElementMemory<ElementIdentity>> = createElementMemory(newId, {
    elsewhere: id =>
      webElements.has(id)
        ? `The element ${id} is of a page, and the context is NATIVE_APP: switch to the web view, or find it on the screen.`
        : undefined,
  })
  return { elements, webElements }
}

/** So many elements are remembered for a session. */
export const ELEMENTS_MAX = 10_000
/** So many ids are known as forgotten, to tell them from ids that were never given. */
const FORGOTTEN_MAX = 10 * ELEMENTS_MAX

/** Two marks of the same node may be written in another order. */
const keyOf = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const dropOldest = (of: { size: number; keys(): Iterator<string>; delete(key: string): unknown }, most: number) => {
  while (of.size > most) {
    const oldest = of.keys().next()
    if (oldest.done) return
    of.delete(oldest.value)
  }
}

interface MemoryOptions<T> {
  /** The part by which two identities are one; all of it unless told. */
  sameBy?: (identity: T) => unknown
  elementsMax?: number
  /** Where an id that is not of this memory comes from, as a sentence. */
  elsewhere?: (elementId: string) => string | undefined
}

/** `newId` gives an id that no other element has: a UUID. */
export const createElementMemory = <T>(
  newId: () => string,
  { elementsMax = ELEMENTS_MAX, elsewhere, sameBy = identity => identity }: MemoryOptions<T> = {},
): SessionElements<T> => {
  const idByKey = new Map<string, string>()
  const keyById = new Map<string, string>()
  const identities = new Map<string, T>()
  const forgotten = new Set<string>()

  const forgetOldest = () => {
    while (identities.size > elementsMax) {
      const oldest = identities.keys().next()
      if (oldest.done) return
      identities.delete(oldest.value)
      idByKey.delete(keyById.get(oldest.value) ?? '')
      keyById.delete(oldest.value)
      forgotten.add(oldest.value)
    }
    dropOldest(forgotten, FORGOTTEN_MAX)
  }
  /** The last used are the last forgotten. */
  const touch = (id: string, identity: T) => {
    identities.delete(id)
    identities.set(id, identity)
  }

  return {
    has: elementId => identities.has(elementId) || forgotten.has(elementId),
    idOf(identity) {
      const key = keyOf(sameBy(identity))
      const known = idByKey.get(key)
      const id = known ?? newId()
      touch(id, identity)
      if (known === undefined) {
        idByKey.set(key, id)
        keyById.set(id, key)
        forgetOldest()
      }
      return id
    },
    identityOf(elementId) {
      const identity = identities.get(elementId)
      if (identity) {
        touch(elementId, identity)
        return identity
      }
      if (forgotten.has(elementId)) {
        throw new WebDriverError(
          'stale element reference',
          `The element ${elementId} was forgotten: a session remembers ${elementsMax} elements. Find it again.`,
        )
      }
      throw new WebDriverError(
        'no such element',
        elsewhere?.(elementId) ??
          `This session has no element ${elementId}: expected an id that a command of this session has answered.`,
      )
    },
  }
}
