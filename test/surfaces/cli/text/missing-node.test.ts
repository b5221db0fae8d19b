/** A node that is not there, as the one who typed the command named it. */
import { expect, test } from 'vitest'
import { inWordsOfFlags } from '../../../../src/surfaces/cli/text/execution.ts'
import { givenWords } from './page-for.ts'

const failed = (criteria: string) => ({
  message: `Step "click" (click) failed: No UI node found matching criteria ${criteria}.`,
})

test.each([
  ['a word', 'textEquals=Wifi', givenWords(['Wifi']), 'No node has the label "Wifi".'],
  ['the second word', 'textEquals=Wi.fi', givenWords(['hello', 'Wi.fi']), 'No node has the label "Wi.fi".'],
  ['--id', 'resourceId=com.x:id/a', givenWords([], { id: 'com.x:id/a' }), 'No node has the id com.x:id/a.'],
  ['--role', 'role=switch', givenWords([], { role: 'switch' }), 'No node has the role switch.'],
])('%s', (_, criteria, given, message) => {
  expect(inWordsOfFlags(failed(criteria), given)).toEqual({ message })
})

test.each([
  ['several selectors', 'role=switch, textEquals=Wifi', givenWords(['Wifi'], { role: 'switch' })],
  ['a node of a list of steps', 'textEquals=Wifi', givenWords()],
  ['a page that could not be read', 'textEquals=Wifi; the page is busy', givenWords(['Wifi'])],
])('%s keeps the message', (_, criteria, given) => {
  expect(inWordsOfFlags(failed(criteria), given)).toEqual(failed(criteria))
})
