import { expect, test } from 'vitest'
import { needsHost } from '../../../src/contracts/actions/needs-host.ts'
import { Matcher } from '../../../src/contracts/executions/matcher.ts'
import type { FlowSelector } from '../../../src/contracts/flows/flow-selector.ts'
import { identifyElement } from '../../../src/device/screen/elements/element-identity.ts'
import { treeOf, uiNode } from '../../support/device/ui-nodes.ts'
import { accept, complaints } from '../parse.ts'

const KEYS = ['resourceId', 'role', 'textEquals', 'textContains', 'contentDescEquals', 'contentDescContains']

test.each(KEYS)('%s alone is a matcher, of 1 to 512 characters', key => {
  expect(accept(Matcher, { [key]: 'x' })).toEqual({ [key]: 'x' })
  expect(complaints(Matcher, { [key]: 'x'.repeat(512) })).toEqual([])
  for (const value of ['', 'x'.repeat(513), null, 1, ['x'], 'a\0', '\udc00']) {
    expect(complaints(Matcher, { [key]: value })).toEqual([key])
  }
})

test('all keys together are one', () => {
  expect(complaints(Matcher, Object.fromEntries(KEYS.map(key => [key, ' '])))).toEqual([])
})

test('at least one key is needed, and no other is known', () => {
  expect(complaints(Matcher, {})).toEqual([''])
  expect(complaints(Matcher, { text: 'x', id: 'y' })).toEqual(['text', 'id'])
  expect(complaints(Matcher, { textEquals: 'x', nth: 0 })).toEqual(['nth'])
  for (const input of [null, 'x', [], [{ textEquals: 'x' }]]) expect(complaints(Matcher, input)).toEqual([''])
})

test('an element stands alone, and is only for the host', () => {
  const found = { node: uiNode('Button', { text: 'Buy' }), parent: undefined }
  const element = identifyElement(treeOf(found.node), found)
  expect(accept(Matcher, { element })).toEqual({ element })
  expect(complaints(Matcher, { element, enabled: true })).toEqual([''])
  expect(complaints(Matcher, { element: { ...element, around: 'no digest' } })).toEqual(['element.around'])
  expect(complaints(Matcher, { element: { ...element, more: 1 } })).toEqual(['element.more'])
  expect(needsHost({ type: 'click', params: { matcher: { element } } })).toBe(true)
})

test('a selector of a flow stands alone', () => {
  const flow = { text: '.*', below: { id: 'title' } }
  expect(accept(Matcher, { flow })).toEqual({ flow })
  expect(complaints(Matcher, { flow, enabled: true })).toEqual([''])
  expect(complaints(Matcher, { flow: {} })).toEqual(['flow'])
  expect(complaints(Matcher, { flow: { textEquals: 'x' } })).toEqual(['flow.textEquals'])
  expect(complaints(Matcher, { flow: { text: '(a' } })).toEqual([])
  expect(needsHost({ type: 'click', params: { matcher: { flow } } })).toBe(true)
})

test('selectors of flows may hold others up to a depth', () => {
  const nested = (levels: number): FlowSelector =>
    levels === 1 ? { text: 'x' } : { containsDescendants: [nested(levels - 1)] }
  expect(complaints(Matcher, { flow: nested(8) })).toEqual([])
  expect(complaints(Matcher, { flow: nested(9) })).toEqual(['flow'])
})
