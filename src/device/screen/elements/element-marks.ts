/** The marks by which one node of a screen is told from those that look like it: its hint, its row, the words before it, its place. */
import type { ELEMENT_MARKS, ElementIdentity } from '../../../contracts/device/element-identity.ts'
import { cutText, digestOf, sketchOf } from './element-digest.ts'
import {
  type ElementIndex,
  type IndexedNode,
  looksOfNode,
  nameBefore,
  outermost,
  remembered,
  type Word,
  wordsIn,
} from './element-index.ts'
import { contentAt, digestOutside, pathOf } from './element-places.ts'

type Mark = (typeof ELEMENT_MARKS)[number]
export type RowFacts = NonNullable<ElementIdentity['row']>

export const hintOf = ({ node, isField }: IndexedNode): string =>
  isField ? cutText(node.hint ?? node.hintText ?? '') : ''

/** What scrolls within a row shows now this and now that. */
const rowWords = (index: ElementIndex, row: IndexedNode): readonly Word[] =>
  wordsIn(index, row).filter(({ of }) => of.scroller === row.scroller)

/** The digests of its words with letters. */
export const namesOf = (index: ElementIndex, row: IndexedNode): readonly string[] =>
  remembered(index, 'names', row, () =>
    rowWords(index, row)
      .filter(({ isName }) => isName)
      .map(({ digest }) => digest),
  )

/** A row without words with letters is told by its figures. */
export const rowNames = (index: ElementIndex, { row }: IndexedNode): string => {
  if (!row) return ''
  return remembered(index, 'said', row, () => {
    const names = namesOf(index, row)
    return digestOf((names.length > 0 ? names : rowWords(index, row).map(({ digest }) => digest)).join('\0'))
  })
}

export const rowOf = (index: ElementIndex, indexed: IndexedNode): RowFacts | undefined => {
  const { row, isRowOfList } = indexed
  if (!row) return undefined
  return remembered(index, 'row', row, () => {
    const names = namesOf(index, row)
    const [title] = names
    return {
      isOfList: isRowOfList,
      ...(title === undefined ? {} : { title }),
      names: rowNames(index, indexed),
      words: sketchOf(names),
      path: pathOf(index, row),
      others: digestOutside(index, row),
    }
  })
}

export const isInside = ({ at }: IndexedNode, of: IndexedNode): boolean => at >= of.at && at < of.end

/** Words in nodes that look alike tell them from nothing, and go with them. */
export const labelOf = (index: ElementIndex, indexed: IndexedNode): string | undefined =>
  remembered(index, 'label', indexed, () => {
    const alike = index.byLooks.get(looksOfNode(indexed)) ?? []
    const tops = remembered(index, 'tops', alike[0], () => outermost(alike))
    return nameBefore(index, indexed, tops)?.digest
  })

const smallestAround = (alike: readonly IndexedNode[]): IndexedNode | undefined => {
  const [first] = alike
  const last = alike.at(-1)
  let around = first?.parent
  while (around && last && !isInside(last, around)) around = around.parent
  return around
}

export const layoutOf = (index: ElementIndex, alike: readonly IndexedNode[]): string =>
  contentAt(index, smallestAround(alike))

export const offsetOf = ({ node, scroller }: IndexedNode): { x: number; y: number } | undefined =>
  scroller && {
    x: node.bounds.left - scroller.node.bounds.left,
    y: node.bounds.top - scroller.node.bounds.top,
  }

type Narrowing = (index: ElementIndex, identity: ElementIdentity, node: IndexedNode) => boolean

/** In the order in which they are tried; each takes away those that differ. */
export const NARROWING: readonly (readonly [mark: Mark, fits: Narrowing])[] = [
  ['hint', (_, { hint }, node) => hint === undefined || hintOf(node) === hint],
  ['row', (index, { row }, node) => row === undefined || rowNames(index, node) === row.names],
  ['label', (index, { label }, node) => label === undefined || labelOf(index, node) === label],
]

/** The nodes that are left, down to a mark. */
export const narrowed = (
  index: ElementIndex,
  identity: ElementIdentity,
  alike: readonly IndexedNode[],
  last: Mark,
): readonly IndexedNode[] => {
  let left = alike
  for (const [mark, fits] of last === 'looks' ? [] : NARROWING) {
    left = left.filter(node => fits(index, identity, node))
    if (mark === last) break
  }
  return left
}
