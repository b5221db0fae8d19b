/** The handles of a simulated document, as long as it is shown: one for each of its elements. */
import type { Element } from './page.ts'

export interface PageHandles {
  /** The document. */
  readonly token: string
  isOfThis(handle: string): boolean
  of(element: Element): string
}

export const createPageHandles = (token: string): PageHandles => {
  const numbers = new Map<unknown, number>()
  /** The elements around all others stand for the view, and are told apart by their tags. */
  const keyOf = ({ tag, placed }: Element) => (placed.source.page ? tag : placed.source)
  return {
    token,
    isOfThis: handle => handle.startsWith(`${token}:`),
    of(element) {
      const key = keyOf(element)
      const number = numbers.get(key) ?? numbers.size + 1
      numbers.set(key, number)
      return `${token}:${number}`
    },
  }
}
