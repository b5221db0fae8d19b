/** Guesses where a tap on a node of a dump leads: to the screen whose title is the node's label, or back. */
import { labelOf } from '../../operator/engine/match.ts'
import type { UiNode } from '../../operator/engine/ui-tree.ts'

const BACK_LABELS = ['Navigate up', 'Back']

/** The label that is read first in the node. */
export const firstLabel = (node: UiNode): string =>
  labelOf(node) || (node.children.map(firstLabel).find(label => label !== '') ?? '')

/** The first text that is not part of something to tap. */
export const titleOf = (node: UiNode): string => {
  if (node.clickable) return ''
  return node.text || (node.children.map(titleOf).find(title => title !== '') ?? '')
}

export type Tap = { back: true } | { goTo: string }

/** `from` is the screen that the node is on. */
export type TapOf = (node: UiNode, from: string) => Tap | undefined

export interface Titled {
  name: string
  title: string
}

/** A title that two screens have says nothing. */
export const tapsAmong = (screens: readonly Titled[]): TapOf => {
  const byTitle = new Map<string, string | undefined>()
  for (const { name, title } of screens) if (title !== '') byTitle.set(title, byTitle.has(title) ? undefined : name)
  return (node, from) => {
    if (!node.clickable) return undefined
    const label = firstLabel(node)
    if (BACK_LABELS.includes(label) && node.text === '') return { back: true }
    const name = byTitle.get(label)
    return name === undefined || name === from ? undefined : { goTo: name }
  }
}
