/** The screen of a simulated phone, as its helper reads it. */
import { emptyFields, scrolledLists } from '../ui/layout.ts'
import type { Ui } from '../ui/ui.ts'
import type { Screen } from './hierarchy.ts'

export const readScreen = (ui: Ui): Screen => {
  const { tree, roots } = ui.reading()
  const hints = new Set(emptyFields(roots))
  const lists = new Map(scrolledLists(roots).map(({ node, scroll }) => [node, scroll]))
  const focused = ui.windows().find(({ hasFocus }) => hasFocus)
  const { window, keyboard } = ui.scene()
  return {
    ...{ tree, width: ui.metrics().width, front: window, keyboard },
    isSystem: focused !== undefined && 'title' in focused,
    isHint: node => hints.has(node),
    scrollOf(node) {
      const scroll = lists.get(node)
      return scroll && { forward: scroll.offset < scroll.end, backward: scroll.offset > 0 }
    },
  }
}
