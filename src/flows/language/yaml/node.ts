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
