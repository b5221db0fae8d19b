/** The two memories of a session: native elements and those of pages. An id is of one of them, and the other says so. */
import type { ElementIdentity } from '../../../contracts/device/element-identity.ts'
import type { PageElement } from '../../../contracts/device/page-element.ts'
import { createElementMemory } from './element-memory.ts'

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
