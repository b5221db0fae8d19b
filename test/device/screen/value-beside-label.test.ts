import { expect, test } from 'vitest'
import type { UiNode, UiTree } from '../../../src/contracts/device/ui-tree.ts'
import type { Matcher } from '../../../src/contracts/executions/matcher.ts'
import { indexTexts } from '../../../src/device/screen/patterns/text-index.ts'
import { findFirst } from '../../../src/device/screen/search.ts'
import { valueBeside } from '../../../src/device/screen/value-beside-label.ts'
import { withoutPauses } from '../../../src/runtime/yielding.ts'
import { node, screen } from '../../support/device/fake-ui-driver.ts'

type Box = [number, number, number, number]

const text = (label: string, at: Box, more: Partial<UiNode> = {}) => node({ text: label, at, ...more })
const label = (at: Box, more: Partial<UiNode> = {}) => text('Label', at, more)
const valueIn = (tree: UiTree, matcher: Matcher) => {
  const at = findFirst(tree, matcher)
  return at && valueBeside(at.node, withoutPauses(indexTexts(tree.roots)))?.text
}
const found = (...roots: UiNode[]) => valueIn(screen(...roots), { textContains: 'Label' })
const row = (at: Box, children: UiNode[], more: Partial<UiNode> = {}) => node({ at, children, ...more })
const ROW: Box = [0, 0, 400, 100]

test.each([
  ['to the right', [label([0, 0, 200, 50]), text('value', [300, 0, 400, 50])], 'value'],
  ['under it', [label([0, 0, 200, 50]), text('value', [0, 50, 200, 100])], 'value'],
  [
    'right before under',
    [label([0, 0, 200, 50]), text('under', [0, 50, 200, 100]), text('value', [300, 0, 400, 50])],
    'value',
  ],
  ['the nearest', [label([0, 0, 100, 50]), text('far', [300, 0, 400, 50]), text('value', [100, 0, 200, 50])], 'value'],
  ['in front in the snapshot', [text('value', [300, 0, 400, 50]), label([0, 0, 200, 50])], 'value'],
  ['not to the left', [text('left', [0, 0, 100, 50]), label([200, 0, 300, 50])], undefined],
  ['not above', [text('above', [0, 0, 100, 50]), label([0, 50, 100, 100])], undefined],
  ['not far below', [label([0, 0, 100, 50]), text('far', [0, 160, 100, 200])], undefined],
  ['not below but aside', [label([0, 0, 100, 50]), text('aside', [150, 60, 200, 100])], undefined],
  ['not without a text', [label([0, 0, 200, 50]), text('', [300, 0, 400, 50])], undefined],
  ['not without an area', [label([0, 0, 200, 50]), text('gone', [300, 0, 300, 50])], undefined],
  ['a description', [label([0, 0, 200, 50]), node({ contentDesc: 'on', at: [300, 0, 400, 50] })], ''],
] as const)('%s', (_name, children, value) => {
  expect(found(row(ROW, [...children]))).toBe(value)
})

test('in a nested column of the same row', () => {
  const column = row([0, 0, 200, 100], [label([0, 0, 200, 50])])
  expect(found(row(ROW, [column, row([200, 0, 400, 100], [text('value', [200, 0, 400, 50])])]))).toBe('value')
})

test('the row is searched before what is around it', () => {
  const inner = row([0, 0, 200, 100], [label([0, 0, 200, 50]), text('near', [0, 50, 200, 100])])
  expect(found(row(ROW, [inner, text('far', [300, 0, 400, 50])]))).toBe('near')
})

test.each([
  ['a clickable row', { clickable: true }],
  ['a list', { scrollable: true }],
])('the search ends with %s', (_name, more) => {
  const inner = row([0, 0, 400, 50], [label([0, 0, 200, 50])], more)
  expect(found(row(ROW, [inner, text('next row', [0, 50, 200, 100])]))).toBeUndefined()
})

test('a label that can be clicked itself has a row around it', () => {
  expect(found(row(ROW, [label([0, 0, 200, 50], { clickable: true }), text('value', [300, 0, 400, 50])]))).toBe('value')
})

test.each([
  ['a row', { clickable: true }],
  ['a list', { scrollable: true }],
])('what is in %s under a label that is a row itself is not its value', (_name, more) => {
  const self = label([0, 0, 400, 50], { clickable: true })
  const under = row([0, 50, 400, 100], [row([0, 50, 400, 100], [text('other', [0, 50, 200, 100])])], more)
  expect(found(row(ROW, [self, under]))).toBeUndefined()
  expect(found(row(ROW, [self, text('next row', [0, 50, 400, 100], more)]))).toBeUndefined()
})

test('a plain text under a label that can be clicked is its value', () => {
  expect(found(row(ROW, [label([0, 0, 400, 50], { clickable: true }), text('value', [0, 50, 400, 100])]))).toBe('value')
})

test.each([
  [
    'beside the text that repeats it',
    [text('icon', [0, 0, 50, 50]), label([50, 0, 200, 50]), text('value', [50, 50, 200, 100])],
  ],
  ['the only text', [text('value', [50, 50, 200, 100])]],
])('a row that is named as a whole has its value in it: %s', (_name, children) => {
  const named = node({ contentDesc: 'Label', clickable: true, at: ROW, children })
  expect(found(row(ROW, [named, text('other', [0, 100, 400, 150])]))).toBe('value')
})

test('rows of a list do not lend each other values', () => {
  const rows = [
    row([0, 0, 400, 50], [label([0, 0, 200, 50])]),
    row([0, 50, 400, 100], [text('Other', [0, 50, 200, 100])]),
  ]
  expect(found(row(ROW, rows, { scrollable: true }))).toBeUndefined()
})

test('from right to left the value is on the left', () => {
  const hebrew = node({ text: 'סוללה', contentDesc: 'Label', at: [300, 0, 400, 50] })
  const tree = screen(row(ROW, [hebrew, text('87%', [0, 0, 100, 50])]))
  expect(valueIn(tree, { contentDescEquals: 'Label' })).toBe('87%')
})
