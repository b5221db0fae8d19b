import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentOf, labelOf, readingOf, type UiNode, type UiTree, walk } from '../../../src/contracts/device/ui-tree.ts'
import type { Matcher } from '../../../src/contracts/executions/matcher.ts'
import { describeMatcher, matching } from '../../../src/device/screen/match.ts'
import { findAll, findFirst } from '../../../src/device/screen/search.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'

const words = fc.constantFrom('', 'Wi-Fi', 'wi-fi', 'Wi-Fi settings', 'Batterie', 'ÄÖ', 'äö')
const className = fc.constantFrom('android.widget.Button', 'android.widget.TextView', 'android.widget.Switch')
const edge = fc.constantFrom(0, 10)
const leaf = fc
  .record({ text: words, contentDesc: words, resourceId: words, className, right: edge, bottom: edge })
  .map(({ right, bottom, ...given }) => node({ ...given, at: [0, 0, right, bottom] }))
const someTree: fc.Arbitrary<UiTree> = fc
  .array(fc.tuple(leaf, fc.array(leaf, { maxLength: 3 })), { maxLength: 4 })
  .map(pairs => screen(...pairs.map(([parent, children]): UiNode => ({ ...parent, children }))))
const value = words.filter(word => word !== '')
const someMatcher: fc.Arbitrary<Matcher> = fc
  .record(
    {
      resourceId: value,
      role: fc.constantFrom('button', 'TEXT', 'switch', 'list'),
      textEquals: value,
      textContains: value,
      contentDescEquals: value,
      contentDescContains: value,
    },
    { requiredKeys: [] },
  )
  .filter(matcher => Object.keys(matcher).length > 0)

describe('laws', () => {
  test('a node matches all keys when it matches each of them', () => {
    fc.assert(
      fc.property(leaf, someMatcher, (one, matcher) => {
        const each = Object.entries(matcher).every(([key, wanted]) => matching({ [key]: wanted })(one))
        expect(matching(matcher)(one)).toBe(each)
      }),
    )
  })

  test('the first match is the first of all, in the order of the snapshot', () => {
    fc.assert(
      fc.property(someTree, someMatcher, (tree, matcher) => {
        const all = [...findAll(tree.roots, matcher)].map(found => found.node)
        expect(findFirst(tree, matcher)?.node).toBe(all[0])
        expect(all).toEqual([...walk(tree.roots)].map(found => found.node).filter(matching(matcher)))
      }),
    )
  })

  test('what equals also contains, and case matters to equality alone', () => {
    fc.assert(
      fc.property(leaf, value, (one, word) => {
        if (matching({ textEquals: word })(one)) expect(matching({ textContains: word })(one)).toBe(true)
        if (matching({ contentDescEquals: word })(one)) expect(matching({ contentDescContains: word })(one)).toBe(true)
        expect(matching({ textContains: word })(one)).toBe(matching({ textContains: word.toUpperCase() })(one))
      }),
    )
  })

  test('a node without area never matches', () => {
    fc.assert(
      fc.property(leaf, someMatcher, (one, matcher) => {
        expect(matching(matcher)({ ...one, bounds: { left: 5, top: 5, right: 5, bottom: 9 } })).toBe(false)
      }),
    )
  })
})

test.each([
  [0, 100],
  [100, 0],
  [0, 0],
  [-5, 10],
])('a node of %i by %i pixels is not on the screen, but what is in it may be', (right, bottom) => {
  const inner = node({ text: 'inner' })
  const tree = screen(node({ text: 'outer', at: [0, 0, right, bottom], children: [inner] }))
  expect(findFirst(tree, { textEquals: 'outer' })).toBeUndefined()
  expect(findFirst(tree, { textEquals: 'inner' })?.node).toBe(inner)
})

test('depth first, each node before its children, with its parents', () => {
  const tree = screen(
    node({ text: 'a', children: [node({ text: 'b', children: [node({ text: 'c' })] }), node({ text: 'd' })] }),
    node({ text: 'e' }),
  )
  expect([...walk(tree.roots)].map(({ node: { text } }) => text).join('')).toBe('abcde')
  expect(findFirst(tree, { textEquals: 'c' })?.parent?.parent?.node.text).toBe('a')
  expect(findFirst(undefined, { textEquals: 'c' })).toBeUndefined()
})

test.each([
  [{ text: 'Text', contentDesc: 'Desc' }, 'Text'],
  [{ contentDesc: 'Desc' }, 'Desc'],
  [{}, ''],
])('the label of %o is "%s"', (given, label) => {
  expect(labelOf(node(given))).toBe(label)
  expect(matching({ contentDescEquals: 'Text' })(node(given))).toBe(false)
})

test('a tree deeper than the stack is walked', () => {
  let deep = node({ text: 'bottom' })
  for (let depth = 0; depth < 20_000; depth++) deep = node({ children: [deep] })
  expect(findFirst(screen(deep), { textEquals: 'bottom' })?.node.text).toBe('bottom')
})

test('a matcher is named in one order', () => {
  expect(describeMatcher({ textContains: 'b c', resourceId: 'a' })).toBe('resourceId=a, textContains=b c')
})

test('an empty field is found by its hint, which nobody reads in it', () => {
  const field = node({ text: 'Search settings', hint: 'Search settings' })
  const tree = screen(node({ text: 'other' }), field)
  expect(findFirst(tree, { textEquals: 'Search settings' })?.node).toBe(field)
  expect(findFirst(tree, { textContains: 'SEARCH' })?.node).toBe(field)
  expect(findFirst(tree, { contentDescEquals: 'Search settings' })).toBeUndefined()
  expect([contentOf(field), readingOf(field)]).toEqual(['', ''])
})

test.each([
  ['\u200eWi-Fi\u200f', 'Wi-Fi'],
  ['Wi-Fi', '\u2066Wi-Fi\u2069'],
  ['\u202bשלום\u202c Wi-Fi', 'שלום Wi-Fi'],
])('marks of direction are not seen: %j is %j', (text, wanted) => {
  const one = node({ text, contentDesc: text })
  for (const key of ['textEquals', 'textContains', 'contentDescEquals', 'contentDescContains'] as const)
    expect(matching({ [key]: wanted })(one)).toBe(true)
})

test('a matcher of nothing but marks does not match what has no label', () => {
  expect(matching({ textEquals: '\u200e' })(node())).toBe(false)
})
