import { describe, expect, test } from 'vitest'
import { Action } from '../../../src/contracts/executions/action.ts'
import { accept, complaints } from '../parse.ts'

const action = (type: string, params?: object) => ({ id: 'a', type, ...(params === undefined ? {} : { params }) })

describe('refused', () => {
  test.each([
    ['shell', {}, 'params.command'],
    ['shell', { command: ' ' }, 'params.command'],
    ['shell', { command: 'a\nb' }, 'params.command'],
    ['shell', { command: 'a\rb' }, 'params.command'],
    ['shell', { command: 'a\0b' }, 'params.command'],
    ['shell', { command: '\ud800' }, 'params.command'],
    ['shell', { command: 'x'.repeat(8_001) }, 'params.command'],
    ['shell', { command: 'é'.repeat(4_001) }, 'params.command'],
    ['shell', { command: 'id', user: 0 }, 'params.user'],
    ['set_clipboard', {}, 'params.text'],
    ['set_clipboard', { text: 'x'.repeat(8_001) }, 'params.text'],
    ['get_clipboard', { text: 'x' }, 'params.text'],
  ])('%s %j at %s', (type, params, path) => {
    expect(complaints(Action, action(type, params))).toEqual([path])
  })
})

test.each([
  ['shell', { command: 'é'.repeat(4_000) }],
  ['shell', { command: 'ls\t-l' }],
  ['set_clipboard', { text: '' }],
  ['set_clipboard', { text: 'two\nlines' }],
  ['get_clipboard', undefined],
])('%s takes %j', (type, params) => {
  expect(accept(Action, action(type, params))).toEqual(action(type, params))
})
