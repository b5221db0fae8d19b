/** The values of a YAML file as flows need them: texts as they are written, lists, and maps with text keys. */
import type { Place } from '../command.ts'

export interface TextNode {
  readonly kind: 'text'
  readonly text: string
  /** Not quoted: a number or a boolean where one is expected. */
  readonly isPlain: boolean
  readonly place: Place
}

export interface ListNode {
  readonly kind: 'list'
  readonly items: readonly YamlNode[]
  readonly place: Place
}

export interface MapEntry {
  readonly key: string
  readonly place: Place
  readonly value: YamlNode
}

export interface MapNode {
  readonly kind: 'map'
  readonly entries: readonly MapEntry[]
  readonly place: Place
}

/** A key without a value, or null. */
export interface EmptyNode {
  readonly kind: 'empty'
  readonly place: Place
}

export type YamlNode = TextNode | ListNode | MapNode | EmptyNode

export const NODE_WORDS: Readonly<Record<YamlNode['kind'], string>> = {
  text: 'a text',
  list: 'a list',
  map: 'keys with values',
  empty: 'nothing',
}

const PLAIN = /^[^\s"'{}[\],:#&*!|>%@`-][^"'{}[\],:#\n]*$/

const inside = (node: YamlNode): readonly YamlNode[] => {
  if (node.kind === 'map') return node.entries.map(({ value }) => value)
  return node.kind === 'list' ? node.items : []
}

/** The last line on which a part of the node begins; a text over several lines ends below it. */
export const lastLineOf = (node: YamlNode): number =>
  inside(node).reduce(
    (last, each) => Math.max(last, lastLineOf(each)),
    node.place.line + (node.kind === 'text' && node.text.includes('\n') ? 1 : 0),
  )

/** The node as YAML has it in one line. */
export const inOneLine = (node: YamlNode): string => {
  switch (node.kind) {
    case 'text':
      return PLAIN.test(node.text) ? node.text : JSON.stringify(node.text)
    case 'list':
      return `[${node.items.map(inOneLine).join(', ')}]`
    case 'map':
      return `{${node.entries.map(({ key, value }) => `${key}: ${inOneLine(value)}`).join(', ')}}`
    case 'empty':
      return '~'
  }
}
