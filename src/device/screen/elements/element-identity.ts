/**
 * Tells a node so that it is found again on a later screen. Texts of others, scrolling, typing and the keyboard may
 * change what is around it. Any doubt counts as gone: a touch on another node cannot be taken back.
 */
import { ELEMENT_WORDS_MAX, type ElementIdentity } from '../../../contracts/device/element-identity.ts'
import type { FoundNode, UiTree } from '../../../contracts/device/ui-tree.ts'
import { contextOf, isInOtherContext } from './element-context.ts'
import { cutText } from './element-digest.ts'
import {
  type ElementIndex,
  elementIndex,
  type IndexedNode,
  looksOfIdentity,
  looksOfNode,
  remembered,
  type Word,
  wordsIn,
} from './element-index.ts'
import {
  hintOf,
  labelOf,
  layoutOf,
  NARROWING,
  namesOf,
  narrowed,
  offsetOf,
  type RowFacts,
  rowNames,
  rowOf,
} from './element-marks.ts'
import { digestOutside, pathOf } from './element-places.ts'

export type FoundElement = { ok: true; found: FoundNode } | { ok: false; reason: string }

const isFixed = ({ of }: Word): boolean => of.scroller === undefined && !of.node.scrollable

/** A dialog asks about its figures too; on a screen they may change. */
const markOf = ({ isDialog }: ElementIndex, { digest, withoutFigures }: Word): string =>
  isDialog ? digest : withoutFigures

/** How often each word with letters stands in a part of the screen, in the order of the digests. */
const countsIn = (index: ElementIndex, words: readonly Word[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const word of words) {
    const mark = markOf(index, word)
    if (word.isName) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  }
  return new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The words of others. */
const sketchWithout = (counts: ReadonlyMap<string, number>, ownDigest: string | undefined): string[] => {
  const digests: string[] = []
  for (const [digest, count] of counts) {
    if (digests.length >= ELEMENT_WORDS_MAX) break
    if (digest !== ownDigest || count > 1) digests.push(digest)
  }
  return digests
}

const screenOf = (index: ElementIndex, indexed: IndexedNode): ElementIdentity['screen'] => {
  const { isDialog, words } = index
  const { scroller } = indexed
  const marks = remembered(index, 'words', undefined, () => new Map(words.map(word => [word.of, markOf(index, word)])))
  const fixed = remembered(index, 'fixed', undefined, () => countsIn(index, isDialog ? words : words.filter(isFixed)))
  const isCounted = isDialog || (!scroller && !indexed.node.scrollable)
  const scrolled = scroller && remembered(index, 'scrolled', scroller, () => countsIn(index, wordsIn(index, scroller)))
  return {
    isDialog,
    fixed: sketchWithout(fixed, isCounted ? marks.get(indexed) : undefined),
    scrolled: scrolled ? sketchWithout(scrolled, marks.get(indexed)) : [],
  }
}

export const identifyElement = ({ roots }: UiTree, { node }: FoundNode): ElementIdentity => {
  const index = elementIndex(roots)
  const indexed = index.byNode.get(node)
  if (!indexed) throw new Error('The node is not of this tree.')
  const alike = index.byLooks.get(looksOfNode(indexed)) ?? []
  const row = rowOf(index, indexed)
  const hint = hintOf(indexed)
  const label = labelOf(index, indexed)
  const offset = offsetOf(indexed)
  const place = { nth: alike.indexOf(indexed), of: alike.length, nthAlike: 0, alike: 1 }
  const identity: ElementIdentity = {
    className: cutText(node.className),
    resourceId: cutText(node.resourceId),
    packageName: cutText(node.packageName),
    contentDesc: cutText(node.contentDesc),
    text: indexed.isField ? '' : cutText(node.text),
    ...(hint === '' ? {} : { hint }),
    around: indexed.around,
    toldBy: 'looks',
    ...(row ? { row } : {}),
    ...(label === undefined ? {} : { label }),
    context: contextOf(index, indexed),
    place: { ...place, layout: layoutOf(index, alike), ...(offset ? { offset } : {}) },
    screen: screenOf(index, indexed),
  }
  if (alike.length === 1) return identity
  for (const [mark] of NARROWING) {
    if (narrowed(index, identity, alike, mark).length === 1) return { ...identity, toldBy: mark }
  }
  const left = narrowed(index, identity, alike, 'place')
  const among = { nthAlike: left.indexOf(indexed), alike: left.length, layout: layoutOf(index, left) }
  return { ...identity, toldBy: 'place', place: { ...identity.place, ...among } }
}

/** The share of the words outside of what scrolls that must still be there; all of them in a dialog. */
const FIXED_SHARE_MIN = 1 / 2
/** The share of the words in what scrolls around the node: more of them leave with a scroll. */
const SCROLLED_SHARE_MIN = 1 / 3

const shareOf = (index: ElementIndex, before: readonly string[], words: readonly Word[]): number => {
  const after = new Set(words.map(word => markOf(index, word)))
  return before.length === 0 ? 1 : before.filter(word => after.has(word)).length / before.length
}

/** Why the screen is another one than that of the node. */
const otherScreen = (index: ElementIndex, { screen }: ElementIdentity): string | undefined => {
  if (index.isDialog !== screen.isDialog) return index.isDialog ? 'a dialog has opened' : 'the dialog has closed'
  const share = shareOf(index, screen.fixed, index.words)
  if (screen.isDialog) return share < 1 ? 'the dialog says something else' : undefined
  return share < FIXED_SHARE_MIN ? 'most of what the screen said is different' : undefined
}

/** A section that is cut off above has lost its title; what is left of it was in it before. */
const isCutSection = ({ row, scroller }: IndexedNode, known: RowFacts, words: readonly string[]): boolean => {
  if (!row || !scroller || row.node.bounds.top > scroller.node.bounds.top || words.length === 0) return false
  const before = new Set(known.words)
  return words.filter(word => before.has(word)).length * 2 >= words.length
}

/** True for the row of the node, as far as its words tell. */
const isSameRow = (index: ElementIndex, known: RowFacts | undefined, node: IndexedNode): boolean => {
  if (known === undefined) return true
  if (rowNames(index, node) === known.names) return true
  if (known.isOfList) return false
  if (known.title === undefined || !node.row) return true
  const words = namesOf(index, node.row)
  return words.includes(known.title) || isCutSection(node, known, words)
}

/** Where nothing has moved, words may come to its own section or leave it, but not the title; no row of a list. */
const inPlace = (
  index: ElementIndex,
  { row, place, label, toldBy }: ElementIdentity,
  alike: readonly IndexedNode[],
): IndexedNode | undefined => {
  const node = alike[place.nth]
  if (!row || row.isOfList || !node?.row || alike.length !== place.of || toldBy === 'place') return undefined
  if (pathOf(index, node.row) !== row.path || digestOutside(index, node.row) !== row.others) return undefined
  const [title] = namesOf(index, node.row)
  if (row.title === undefined || title !== row.title) return undefined
  return toldBy === 'label' && labelOf(index, node) !== label ? undefined : node
}

const atPlace = (
  index: ElementIndex,
  { place }: ElementIdentity,
  alike: readonly IndexedNode[],
): IndexedNode | undefined => {
  const node = alike[place.nthAlike]
  if (!node || alike.length !== place.alike || layoutOf(index, alike) !== place.layout) return undefined
  const offset = offsetOf(node)
  return offset?.x === place.offset?.x && offset?.y === place.offset?.y ? node : undefined
}

const BESIDE = 'what is beside the node has changed'

type Search = { node: IndexedNode } | { reason: string }

/** One that nothing looked like is found wherever it is, in its own row if it was in one. */
const byLooks = (index: ElementIndex, identity: ElementIdentity, alike: readonly IndexedNode[]): Search => {
  const { hint, row, screen } = identity
  const inRow = alike.length > 1 && row ? alike.filter(each => rowNames(index, each) === row.names) : alike
  const [node, other] = inRow
  if (!node || other || (alike.length > 1 && row?.title === undefined)) {
    return { reason: `${alike.length} nodes look like it now` }
  }
  const hintNow = hintOf(node)
  if (hint !== undefined && hintNow !== '' && hintNow !== hint) return { reason: 'the hint of the field has changed' }
  if (!isSameRow(index, row, node)) {
    const unmoved = inPlace(index, identity, alike)
    return unmoved ? { node: unmoved } : { reason: BESIDE }
  }
  const { scroller } = node
  if (row?.isOfList && row.title !== undefined) return { node }
  const share = shareOf(index, screen.scrolled, scroller ? wordsIn(index, scroller) : index.words)
  return share < SCROLLED_SHARE_MIN ? { reason: BESIDE } : { node }
}

const searchIn = (index: ElementIndex, identity: ElementIdentity, alike: readonly IndexedNode[]): Search => {
  const { toldBy } = identity
  if (toldBy === 'looks') return byLooks(index, identity, alike)
  const left = narrowed(index, identity, alike, toldBy)
  const node = toldBy === 'place' ? atPlace(index, identity, left) : left.length === 1 ? left[0] : undefined
  const found = node ?? (left.length === 0 ? inPlace(index, identity, alike) : undefined)
  return found ? { node: found } : { reason: left.length > 1 ? `${left.length} nodes look like it now` : BESIDE }
}

export const findElement = ({ roots }: Pick<UiTree, 'roots'>, identity: ElementIdentity): FoundElement => {
  const index = elementIndex(roots)
  const other = otherScreen(index, identity)
  if (other !== undefined) return { ok: false, reason: other }
  const alike = index.byLooks.get(looksOfIdentity(identity)) ?? []
  if (alike.length === 0) {
    const isAlmost = index.nodes.some(
      ({ node, around }) =>
        around === identity.around && node.className === identity.className && node.resourceId === identity.resourceId,
    )
    return { ok: false, reason: isAlmost ? 'the node is gone, or says something else' : 'the node is gone' }
  }
  const search = searchIn(index, identity, alike)
  if (!('node' in search)) return { ok: false, reason: search.reason }
  const isOther = isInOtherContext(index, identity.context, search.node)
  return isOther ? { ok: false, reason: BESIDE } : { ok: true, found: search.node.found }
}
