/** What is read of a screen for a step: checks and the pages of web views take longer, and are read where they are asked for. */
import { expect, test } from 'vitest'
import type { Matcher } from '../../../src/contracts/executions/matcher.ts'
import { treeFor } from '../../../src/device/screen/locate.ts'

test.each<[string, Matcher | undefined]>([
  ['a step without a matcher', undefined],
  ['a text', { textEquals: 'OK' }],
  ['a selector of a flow', { flow: { text: 'OK', below: { id: 'title' } } }],
])('%s needs nothing more', (_, matcher) => {
  expect(treeFor(matcher)).toEqual({})
})

test.each<[string, Matcher]>([
  ['checked', { checked: false }],
  ['a node that it is related to is checked', { textEquals: 'a', below: { checked: true } }],
  ['a selector of a flow says checked', { flow: { text: 'a', checked: false } }],
  ['a part of it does', { flow: { text: 'a', containsDescendants: [{ text: 'b' }, { checked: true }] } }],
])('checks are read where %s', (_, matcher) => {
  expect(treeFor({ textEquals: 'x' }, matcher)).toEqual({ complete: true })
})

test('pages are read for selectors of CSS, each of them once', () => {
  const css = (selector: string): Matcher => ({ flow: { css: selector } })
  expect(treeFor(css('a'), css('b'), css('a'))).toEqual({ web: { css: ['a', 'b'], all: false } })
  expect(treeFor({ flow: { css: 'a', below: { text: 'Title' } } })).toEqual({ web: { css: ['a'], all: true } })
})
