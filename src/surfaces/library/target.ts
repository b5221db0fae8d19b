/** What a call acts on: the words that callers write, as the matcher or the point of an action. */

import type { Matcher, RelatedMatcher } from './generated/shapes.ts'
import { asRecord, definedFields, type JsonRecord } from './outside.ts'
import { SvcError } from './svc-error.ts'

/** In pixels from the top left. */
export interface Point {
  x: number
  y: number
}

/** The short words of the command line for keys of a matcher. */
export interface ShortWords {
  /** The exact label: `textEquals`. */
  text?: string
  /** The exact resource id: `resourceId`. */
  id?: string
  /** The exact content description: `contentDescEquals`. */
  desc?: string
  /** A part of the content description: `contentDescContains`. */
  descContains?: string
}

/** The other node of a relation, or its exact label. */
export type Related = (RelatedMatcher & ShortWords) | string

type Relation = 'below' | 'above' | 'leftOf' | 'rightOf' | 'childOf' | 'containsChild'

/** A matcher, with short words beside its own. All of them must match. */
export interface Selector extends Omit<Matcher, Relation>, ShortWords {
  below?: Related
  above?: Related
  leftOf?: Related
  rightOf?: Related
  childOf?: Related
  containsChild?: Related
}

/** A selector, the exact label of a node, or a ref such as `@12.7`. */
export type Node = Selector | string

/** A node, or a point in pixels. */
export type Target = Node | Point

const LONG_WORDS: Readonly<Record<string, string>> = {
  text: 'textEquals',
  id: 'resourceId',
  desc: 'contentDescEquals',
  descContains: 'contentDescContains',
}
const RELATIONS: readonly string[] = ['below', 'above', 'leftOf', 'rightOf', 'childOf', 'containsChild']

/** A label of this form needs `{ text }`. */
const REF_LIKE = /^@[\d.]+$/

const misuse = (what: string) =>
  new SvcError({
    code: 'USAGE',
    message: `${what} is no target: expected a label, a ref such as '@12.7', a selector such as { text: 'Pay' }, or a point { x, y }.`,
    dispatched: false,
  })

const withLongWords = (selector: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.entries(definedFields(selector)).map(([word, value]) => {
      if (!RELATIONS.includes(word)) return [LONG_WORDS[word] ?? word, value]
      const other = typeof value === 'string' ? { textEquals: value } : asRecord(value)
      return [word, other === undefined ? value : withLongWords(other)]
    }),
  )

/** @internal */
export const matcherOf = (node: Node): Matcher => {
  if (typeof node === 'string') return REF_LIKE.test(node) ? { ref: node } : { textEquals: node }
  const selector = asRecord(node)
  if (selector === undefined) throw misuse(String(node))
  for (const [short, long] of Object.entries(LONG_WORDS)) {
    if (selector[short] !== undefined && selector[long] !== undefined)
      throw misuse(`A selector with both ${short} and ${long}`)
  }
  return withLongWords(selector) as Matcher
}

const isPoint = (target: Target): target is Point => {
  const fields = asRecord(target)
  return fields !== undefined && 'x' in fields && 'y' in fields
}

/** As the params of an action have it. @internal */
export const placeOf = (target: Target): { matcher: Matcher } | { coordinate: Point } =>
  isPoint(target) ? { coordinate: { x: target.x, y: target.y } } : { matcher: matcherOf(target) }
