/** Texts of declarations as cells and sentences of Markdown. */
import { lexer } from 'marked'
import { expect, test } from 'vitest'
import { markdownTable, sentence } from '../../../../src/build/docs/generated/table.ts'

test('a bar stays within its cell', () => {
  const [table] = lexer(markdownTable(['flag', 'meaning'], [['`--output <json|pretty>`', 'json | pretty']]))
  expect(table).toMatchObject({
    type: 'table',
    rows: [[{ text: '`--output <json|pretty>`' }, { text: 'json | pretty' }]],
  })
})

test.each([
  ['the device <serial>, and `<id>`', 'The device `<serial>`, and `<id>`'],
  ['with --to <file>, or SVC_HOME <', 'With `--to <file>`, or `SVC_HOME` \\<'],
  ['any of a*', 'Any of a\\*'],
  ['timeoutMs must be a number', 'timeoutMs must be a number'],
  ['details.step may have run', 'details.step may have run'],
  ['git is not on the path', 'git is not on the path'],
])('%s', (text, expected) => {
  expect(sentence(text)).toBe(expected)
})
