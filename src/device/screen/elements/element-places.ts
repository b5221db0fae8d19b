/** Digests of the place of an element in a tree, made for the few elements that are told apart by it. */
import { digestOf, hashOf, steadyText, writtenHash } from './element-digest.ts'
import { type ElementIndex, type IndexedNode, remembered, wordOf } from './element-index.ts'

/** The digest of a node's place in the tree. */
export const pathOf = (index: ElementIndex, indexed: IndexedNode): string =>
  remembered(index, 'path', indexed, () => {
    const { parent, position } = indexed
    return digestOf(`${parent ? pathOf(index, parent) : ''}.${position}`)
  })

const shapeOf = ({ node, isField }: IndexedNode, content: string): string => {
  const text = isField ? '' : steadyText(wordOf(node))
  // A node that scrolls may show anything.
  return digestOf([node.className, node.resourceId, text, node.scrollable ? '' : content].join('\0'))
}

/** Everything in each node, and in all of the tree under `undefined`; places and states left out. */
const contentsOf = ({ nodes }: ElementIndex): ReadonlyMap<IndexedNode | undefined, string> => {
  const shapes = new Map<IndexedNode | undefined, string[]>([[undefined, []]])
  const contents = new Map<IndexedNode | undefined, string>()
  for (const indexed of nodes.toReversed()) {
    const { parent } = indexed
    const content = digestOf((shapes.get(indexed) ?? []).join('\0'))
    contents.set(indexed, content)
    const siblings = shapes.get(parent)
    const shape = shapeOf(indexed, content)
    if (siblings) siblings.push(shape)
    else shapes.set(parent, [shape])
  }
  return contents.set(undefined, digestOf((shapes.get(undefined) ?? []).join('\0')))
}

export const contentAt = (index: ElementIndex, of: IndexedNode | undefined): string =>
  remembered(index, 'contents', undefined, () => contentsOf(index)).get(of) ?? ''

/** The digest of what stands at each node and of its place, added up over all before it. */
const sumsOf = (index: ElementIndex): readonly (readonly [number, number])[] => {
  let [high, low] = [0, 0]
  const sums: (readonly [number, number])[] = [[high, low]]
  for (const indexed of index.nodes) {
    const { node, isField } = indexed
    const text = isField ? '' : wordOf(node)
    const standing = hashOf(`${pathOf(index, indexed)}${node.className}#${node.resourceId}#${steadyText(text)}`)
    ;[high, low] = [(high + standing[0]) >>> 0, (low + standing[1]) >>> 0]
    sums.push([high, low])
  }
  return sums
}

/** All but a node with what is in it: what stands there, and where. */
export const digestOutside = (index: ElementIndex, { at, end }: IndexedNode): string => {
  const sums = remembered(index, 'sums', undefined, () => sumsOf(index))
  const [all = [0, 0], before = [0, 0], after = [0, 0]] = [sums.at(-1), sums[at], sums[end]]
  return writtenHash([(all[0] - (after[0] - before[0])) >>> 0, (all[1] - (after[1] - before[1])) >>> 0])
}
