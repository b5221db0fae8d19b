/** The selectors of a flow that reads web pages by their inspector. */
import { expect, test } from 'vitest'
import { withWebElements } from '../../../../src/service/flows/run/interpreter.ts'

test('every selector of the steps means elements of pages too, and nothing else changes', () => {
  const flow = { text: 'Go', below: { id: 'x' } }
  const more = { ...flow, webElements: true }
  expect(
    withWebElements([
      { type: 'wait_for_node', params: { matcher: { flow }, timeoutMs: 5 } },
      { type: 'swipe', params: { from: { matcher: { flow } }, direction: 'up' } },
      { type: 'click', params: { matcher: { textEquals: 'Go' } } },
      { type: 'snapshot' },
    ]),
  ).toEqual([
    { type: 'wait_for_node', params: { matcher: { flow: more }, timeoutMs: 5 } },
    { type: 'swipe', params: { from: { matcher: { flow: more } }, direction: 'up' } },
    { type: 'click', params: { matcher: { textEquals: 'Go' } } },
    { type: 'snapshot' },
  ])
})
