/** Lists and facts that are printed from the fields of an answer. */
import { expect, test } from 'vitest'
import { fieldsText, listText } from '../../../../src/surfaces/cli/text/answer.ts'
import { HOSTILE, NOW } from './cases/case.ts'
import { pageFor } from './page-for.ts'

test('a field that this version does not know is a column under its own name', () => {
  const rows = [{ deviceId: 'd1' }, { deviceId: 'd2', chargedAt: NOW, spareParts: ['a', 'b'], isNew: true }]
  expect(listText(pageFor(), rows)).toBe(
    ['DEVICE  CHARGED   SPARE PARTS  IS NEW', 'd1', 'd2      14:00:00  a, b         yes'].join('\n'),
  )
})

test('a hostile name of a field controls nothing', () => {
  for (const text of [
    listText(pageFor(), [{ [HOSTILE]: 'a' }]),
    fieldsText(pageFor(), { [HOSTILE]: { [HOSTILE]: 1 } }),
  ])
    expect(text).not.toMatch(/[^\n\x20-\x7e]/)
})

test('a field named like a member of every object is printed as any other', () => {
  const row = JSON.parse('{"id": "a", "constructor": "b", "toString": 1}')
  expect(listText(pageFor(), [row], { as: {} })).toBe('ID  CONSTRUCTOR  TO STRING\na   b                    1')
})

test('the first columns stay where a page is narrow, and the last ones go', () => {
  const rows = [{ name: 'x'.repeat(20), state: 'ready', note: 'n'.repeat(30), more: 'm'.repeat(30) }]
  const text = listText(pageFor({ width: 40 }), rows, { first: ['name', 'state'] })
  expect(text.split('\n')[0]).toBe('NAME                  STATE')
})

test('lists inside of an answer are tables below its facts', () => {
  const text = fieldsText(pageFor(), { apiLevel: 35, runs: [{ waitMs: 1_500 }], gone: null })
  expect(text).toBe('  API level  35\n  Runs (1)\n WAIT\n1.5 s')
})
