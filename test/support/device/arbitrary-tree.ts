/** Any tree that a screen could have, with texts that are hard to carry. */
import fc from 'fast-check'
import type { UiNode, UiTree } from '../../../src/contracts/device/ui-tree.ts'

const HARD = [
  '&amp;',
  '<node',
  '"/>',
  ']]>',
  '\n',
  '\r\n',
  '\t',
  '\u0000',
  '\u001b',
  '\uFFFE',
  '\uD800',
  '\uDC00',
  '😀',
  'ß',
  '&#10;',
  "'",
]

/** XML can carry all of it. */
const legal = fc
  .string({ unit: 'binary' })
  .filter(text => /^[\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u.test(text))
const anything = fc.array(fc.oneof(fc.constantFrom(...HARD), legal), { maxLength: 5 }).map(parts => parts.join(''))

const coordinate = fc.integer({ min: -5_000, max: 5_000 })
const flag = fc.boolean()

const nodes = (text: fc.Arbitrary<string>): fc.Arbitrary<UiNode[]> =>
  fc.letrec<{ node: UiNode; nodes: UiNode[] }>(tie => ({
    nodes: fc.oneof({ maxDepth: 4 }, fc.constant<UiNode[]>([]), fc.array(tie('node'), { maxLength: 3 })),
    node: fc.record({
      text,
      resourceId: text,
      className: text,
      packageName: text,
      contentDesc: text,
      checkable: flag,
      checked: flag,
      clickable: flag,
      enabled: flag,
      focusable: flag,
      focused: flag,
      scrollable: flag,
      longClickable: flag,
      password: flag,
      selected: flag,
      bounds: fc.record({ left: coordinate, top: coordinate, right: coordinate, bottom: coordinate }),
      children: tie('nodes'),
    }),
  })).nodes

const trees = (text: fc.Arbitrary<string>): fc.Arbitrary<UiTree> =>
  fc.record({ rotation: fc.integer({ min: 0, max: 3 }), roots: nodes(text) })

/** Every text in it can be written in XML. */
export const legalTree: fc.Arbitrary<UiTree> = trees(legal)
export const anyTree: fc.Arbitrary<UiTree> = trees(anything)
