import { expect, test } from 'vitest'
import { Action } from '../../../src/contracts/action.ts'
import { accept, complaints } from '../parse.ts'
import { actionTable } from './table.ts'

const matcher = { resourceId: 'com.example:id/search' }

actionTable(
  {
    type: 'enter_text',
    least: { matcher, text: 'hello' },
    filled: { matcher, text: 'hello', append: false, clear: false, submit: false },
    required: ['matcher', 'text'],
    matchers: ['matcher'],
    texts: { text: [1, 512] },
    booleans: ['append', 'clear', 'submit'],
    retries: true,
    accepted: [
      { matcher, text: ' ' },
      { matcher, text: 'two\nlines' },
      { matcher, text: 'x', append: true, clear: false },
      { matcher, text: 'x', append: false, clear: true },
    ],
    rejected: [[{ matcher, text: 'x', append: true, clear: true }, 'params.append']],
  },
  {
    type: 'press_key',
    least: { key: 'back' },
    filled: { key: 'back' },
    required: ['key'],
    choices: { key: ['back', 'home', 'recents', 'enter', 'delete'] },
  },
)

test.each(['BACK', 'Home', 'rEcEnTs', 'ENTER', 'Delete'])('the key %s is taken and kept in lower case', key => {
  expect(accept(Action, { id: 'k', type: 'press_key', params: { key } }).params).toEqual({ key: key.toLowerCase() })
})

test.each([' back', 'KEYCODE_BACK', 'volume_up', 'ſ'])('the key %j is refused', key => {
  expect(complaints(Action, { id: 'k', type: 'press_key', params: { key } })).toEqual(['params.key'])
})
