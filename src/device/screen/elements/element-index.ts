/** The facts of a tree by which its nodes are told apart, worked out once for each tree. */

import { isTextField, roleOf } from '../../../contracts/device/role.ts'
import { contentOf, type FoundNode, type UiNode, type UiTree } from '../../../contracts/device/ui-tree.ts'
import { visible } from '../match.ts'
import { cutText, digestOf, isNameText, nameWithoutFigures } from './element-digest.ts'

/** A node with what stands around it and in it. */
export interface IndexedNode {
  found: FoundNode
  node: UiNode
  parent: IndexedNode | undefined
  /** Its position depth first; what is inside it has the positions up to below `end`. */
  at: number
  end: number
  position: number
  around: string
  /** `around` of the nodes right below it. */
  inside: string
  row: IndexedNode | undefined
  isRowOfList: boolean
  /** The nearest node around it that scrolls. */
  scroller: IndexedNode | undefined
  isField: boolean
}

/** A text that a person reads, in the order of the tree. */
export interface Word {
  of: IndexedNode
  text: string
  digest: string
  /** The same for "Cart (2)" and "Cart (3)". */
  withoutFigures: string
  /** With letters: no mere figure or sign. */
  isName: boolean
}

export interface ElementIndex {
  isDialog: boolean
  nodes: readonly IndexedNode[]
  byNode: ReadonlyMap<UiNode, IndexedNode>
  byLooks: ReadonlyMap<string, readonly IndexedNode[]>
  words: readonly Word[]
  /** Facts that only some elements are told by: worked out when the first of them is looked for. */
  memory: Map<string, Map<IndexedNode | undefined, unknown>>
}

/** Works a fact of a node out once for each tree. */
export const remembered = <T>(
  { memory }: ElementIndex,
  fact: string,
  of: IndexedNode | undefined,
  workOut: () => T,
): T => {
  const facts = memory.get(fact) ?? new Map<IndexedNode | undefined, unknown>()
  memory.set(fact, facts)
  if (facts.has(of)) return facts.get(of) as T
  const worked = workOut()
  facts.set(of, worked)
  return worked
}

export const wordOf = (node: UiNode): string =>
  visible(contentOf(node) || node.contentDesc)
    .replace(/\s+/g, ' ')
    .trim()

const looksOf = (className: string, id: string, packageName: string, desc: string, text: string, around: string) =>
  [className, id, packageName, desc, text].map(cutText).concat(around).join('\0')

export const looksOfNode = ({ node, isField, around }: IndexedNode): string =>
  looksOf(node.className, node.resourceId, node.packageName, node.contentDesc, isField ? '' : node.text, around)

interface Looks {
  className: string
  resourceId: string
  packageName: string
  contentDesc: string
  text: string
  around: string
}

export const looksOfIdentity = ({ className, resourceId, packageName, contentDesc, text, around }: Looks): string =>
  looksOf(className, resourceId, packageName, contentDesc, text, around)

/** Where the rows of a list begin: right below it, or below the one frame that holds them all. */
const rowsBelow = (parent: IndexedNode): 'list' | 'page' | undefined => {
  const { node, scroller, row } = parent
  const role = roleOf(node)
  if (role === 'list' || role === 'pager') return 'list'
  if (node.children.length < 2) return undefined
  if (node.scrollable) return role === 'scroll' ? 'page' : 'list'
  return scroller && row === undefined ? 'page' : undefined
}

const OUTERMOST = digestOf('')

const childOf = (parent: IndexedNode | undefined, node: UiNode, position: number, at: number): IndexedNode => {
  const rows = parent && rowsBelow(parent)
  const inherited = parent && !parent.node.scrollable ? parent : undefined
  const around = parent?.inside ?? OUTERMOST
  const indexed: IndexedNode = {
    found: { node, parent: parent?.found },
    ...{ node, parent, at, end: at + 1, position, around },
    inside: node.children.length === 0 ? '' : digestOf(`${around}/${node.className}#${node.resourceId}`),
    row: inherited?.row,
    isRowOfList: inherited?.isRowOfList ?? false,
    scroller: parent?.node.scrollable ? parent : parent?.scroller,
    isField: isTextField(node),
  }
  if (rows) {
    indexed.row = indexed
    indexed.isRowOfList = rows === 'list'
  }
  return indexed
}

const wordFrom = (of: IndexedNode, text: string): Word => {
  const digest = digestOf(text)
  const bare = nameWithoutFigures(text)
  return { of, text, digest, withoutFigures: bare === text ? digest : digestOf(bare), isName: isNameText(text) }
}

const indexTree = (roots: UiTree['roots']): ElementIndex => {
  const nodes: IndexedNode[] = []
  const words: Word[] = []
  const open: { parent: IndexedNode | undefined; node: UiNode; position: number }[] = roots
    .map((node, position) => ({ parent: undefined, node, position }))
    .reverse()
  for (let next = open.pop(); next; next = open.pop()) {
    const indexed = childOf(next.parent, next.node, next.position, nodes.length)
    nodes.push(indexed)
    const text = indexed.isField ? '' : wordOf(next.node)
    if (text !== '') words.push(wordFrom(indexed, text))
    for (let position = next.node.children.length - 1; position >= 0; position--) {
      const node = next.node.children[position]
      if (node) open.push({ parent: indexed, node, position })
    }
  }
  for (const { parent, end } of nodes.toReversed()) if (parent) parent.end = Math.max(parent.end, end)
  const byLooks = new Map<string, IndexedNode[]>()
  for (const indexed of nodes) {
    const looks = looksOfNode(indexed)
    const alike = byLooks.get(looks)
    if (alike) alike.push(indexed)
    else byLooks.set(looks, [indexed])
  }
  const [root] = roots
  return {
    isDialog: root !== undefined && root.bounds.left > 0 && root.bounds.top > 0,
    nodes,
    byNode: new Map(nodes.map(indexed => [indexed.node, indexed])),
    byLooks,
    words,
    memory: new Map(),
  }
}

/** Trees do not change, and many nodes of one tree are asked for in a row. */
const indexes = new WeakMap<UiTree['roots'], ElementIndex>()

export const elementIndex = (roots: UiTree['roots']): ElementIndex => {
  const known = indexes.get(roots)
  if (known) return known
  const index = indexTree(roots)
  indexes.set(roots, index)
  return index
}

/** The position among the words of the first one at this node or behind. */
export const firstWordAt = (words: readonly Word[], at: number): number => {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle]?.of.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

/** The words of a node and of all in it. */
export const wordsIn = ({ words }: ElementIndex, { at, end }: IndexedNode): readonly Word[] =>
  words.slice(firstWordAt(words, at), firstWordAt(words, end))

/** Without those that are inside of others; all in the order of the tree. */
export const outermost = (nodes: readonly IndexedNode[]): readonly IndexedNode[] => {
  const tops: IndexedNode[] = []
  for (const node of nodes) if (node.at >= (tops.at(-1)?.end ?? 0)) tops.push(node)
  return tops
}

/** The nearest word with letters before a node that is in none of these, of which none is inside of another. */
export const nameBefore = (
  { words }: ElementIndex,
  { at }: IndexedNode,
  outside: readonly IndexedNode[],
): Word | undefined => {
  let last = outside.length - 1
  for (let position = firstWordAt(words, at) - 1; position >= 0; ) {
    const word = words[position]
    if (!word) return undefined
    while ((outside[last]?.at ?? -1) > word.of.at) last -= 1
    const around = outside[last]
    if (around && around.end > word.of.at) position = firstWordAt(words, around.at) - 1
    else if (word.isName) return word
    else position -= 1
  }
  return undefined
}
