/**
 * The words with letters around a node, by which it is told from the same node of another screen of that layout. Words
 * may come and go; one that stands where another was means that the node belongs to something else now.
 */
import { ELEMENT_WORDS_MAX, type ElementIdentity } from '../../../contracts/device/element-identity.ts'
import { roleOf } from '../../../contracts/device/role.ts'
import { type ElementIndex, firstWordAt, type IndexedNode, remembered, type Word, wordsIn } from './element-index.ts'
import { isInside, namesOf } from './element-marks.ts'

export type ElementContext = ElementIdentity['context']

/** What scrolls around a node, and the rows of these that it is in. */
interface Surroundings {
  scrollers: ReadonlySet<IndexedNode | undefined>
  rows: ReadonlySet<IndexedNode>
}

const surroundingsOf = (indexed: IndexedNode): Surroundings => {
  const scrollers = new Set<IndexedNode | undefined>([undefined])
  const rows = new Set<IndexedNode>()
  for (let at: IndexedNode | undefined = indexed; at; at = at.parent) {
    scrollers.add(at.scroller)
    if (at.row) rows.add(at.row)
  }
  return { scrollers, rows }
}

/** A row with one name is the heading or the label of others, or is told by where it is. */
const isToldByPlace = (index: ElementIndex, row: IndexedNode): boolean => namesOf(index, row).length < 2

const isOfItem = (index: ElementIndex, { row, isRowOfList }: IndexedNode): boolean =>
  row !== undefined && isRowOfList && !isToldByPlace(index, row)

/** Other lists and other items of its own list change by themselves. */
const contextTest = (index: ElementIndex, indexed: IndexedNode): ((word: Word) => boolean) => {
  const { scrollers, rows } = surroundingsOf(indexed)
  const isItem = isOfItem(index, indexed)
  return ({ of, isName }) => {
    if (!isName || !scrollers.has(of.scroller)) return false
    if (!of.row || !of.isRowOfList || rows.has(of.row)) return true
    return of.scroller === indexed.scroller && !isItem ? true : isToldByPlace(index, of.row)
  }
}

const isControl = ({ node }: IndexedNode): boolean => node.clickable || roleOf(node) === 'button'

/** The smallest node around that holds a text which is not on a control, or the row of a list. */
const sectionOf = (index: ElementIndex, indexed: IndexedNode): IndexedNode => {
  if (indexed.row && indexed.isRowOfList) return indexed.row
  const isContext = contextTest(index, indexed)
  let section = indexed
  while (section.parent) {
    section = section.parent
    const around = section
    const holdsLabel = remembered(index, 'texts', around, () =>
      wordsIn(index, around).filter(word => word.of !== around && !isControl(word.of)),
    ).some(word => isContext(word) && !isInside(word.of, indexed))
    if (holdsLabel) break
  }
  return section
}

const digestsOf = (words: readonly Word[]): string[] => words.map(({ withoutFigures }) => withoutFigures)

/** The words before whatever scrolls: the same for all that is in it. */
const headingOf = (index: ElementIndex, scroller: IndexedNode): readonly string[] =>
  remembered(index, 'heading', scroller, () =>
    digestsOf(index.words.slice(0, firstWordAt(index.words, scroller.at + 1)).filter(contextTest(index, scroller))),
  )

/** Of words beyond `most` in a part, those nearest to the node are left. */
export const contextOf = (index: ElementIndex, indexed: IndexedNode, most = ELEMENT_WORDS_MAX): ElementContext => {
  const { words } = index
  const { scroller } = indexed
  const isContext = contextTest(index, indexed)
  const wordAt = (node: number) => firstWordAt(words, node)
  const before: Word[] = []
  const start = scroller ? wordAt(scroller.at + 1) : 0
  for (let at = wordAt(indexed.at) - 1; at >= start && before.length < most; at--) {
    const word = words[at]
    if (word && word.of.scroller === scroller && isContext(word)) before.push(word)
  }
  const between = (from: number, to: number): string[] => {
    const found: Word[] = []
    for (let at = from; at < to && found.length < most; at++) {
      const word = words[at]
      if (word && isContext(word)) found.push(word)
    }
    return digestsOf(found)
  }
  return {
    heading: scroller ? headingOf(index, scroller).slice(-most) : [],
    before: digestsOf(before.reverse()),
    within: between(wordAt(indexed.at), wordAt(indexed.end)),
    after: between(wordAt(indexed.end), wordAt(sectionOf(index, indexed).end)),
  }
}

/** The length of the longest common subsequence of what follows each pair of positions. */
const commonLengths = (before: readonly string[], after: readonly string[]): number[][] => {
  const lengths = Array.from({ length: before.length + 1 }, () => Array<number>(after.length + 1).fill(0))
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const length =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
      const line = lengths[row]
      if (line) line[column] = length
    }
  }
  return lengths
}

/** True when a word stands in the place of another, or words have changed places. */
export const isReworded = (before: readonly string[], after: readonly string[]): boolean => {
  const lengths = commonLengths(before, after)
  const [gone, come] = [new Set<string>(), new Set<string>()]
  let [goneHere, comeHere] = [false, false]
  for (let row = 0, column = 0; row < before.length || column < after.length; ) {
    const [was, is] = [before[row], after[column]]
    if (was !== undefined && was === is) {
      ;[goneHere, comeHere] = [false, false]
      row += 1
      column += 1
      continue
    }
    if (
      is === undefined ||
      (was !== undefined && (lengths[row + 1]?.[column] ?? 0) >= (lengths[row]?.[column + 1] ?? 0))
    ) {
      if (was !== undefined) gone.add(was)
      goneHere = true
      row += 1
    } else {
      come.add(is)
      comeHere = true
      column += 1
    }
    if (goneHere && comeHere) return true
  }
  return [...gone].some(word => come.has(word))
}

/** A label may leave or enter with a scroll; another one in its place is a change. */
const hasOtherLabel = (before: readonly string[], after: readonly string[]): boolean =>
  before.length > 0 && after.length > 0 && before.at(-1) !== after.at(-1)

const CONTEXT_PARTS = ['heading', 'before', 'within', 'after'] as const

/** True when the words around a node are not those that were around it. */
export const isInOtherContext = (index: ElementIndex, known: ElementContext, indexed: IndexedNode): boolean => {
  const now = contextOf(index, indexed, Number.POSITIVE_INFINITY)
  const isInList = indexed.row !== undefined && indexed.isRowOfList
  if (!isInList && hasOtherLabel(known.before, now.before)) return true
  // Where nothing scrolls around the node, its label cannot have left with a scroll.
  if (!indexed.scroller && known.before.length > 0 && now.before.length === 0) return true
  return CONTEXT_PARTS.some(part => isReworded(known[part], now[part]))
}
