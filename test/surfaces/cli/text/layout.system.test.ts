/** Columns are left out, then cells are shortened, and paragraphs break between words. */
import { expect, test } from 'vitest'
import { duration } from '../../../../src/contracts/duration.ts'
import { type Column, facts, paragraph, table } from '../../../../src/surfaces/cli/text/layout.ts'
import { ago, localTime } from '../../../../src/surfaces/cli/text/page.ts'
import { pageFor } from './page-for.ts'

interface Row {
  id: string
  note: string
  kind: string
}
const columns: readonly Column<Row>[] = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'note', cell: ({ note }) => note, leaveOut: 1, atLeast: 6 },
  { title: 'kind', cell: ({ kind }) => kind, leaveOut: 2, align: 'right' },
]
const rows = [
  { id: 'emulator-5554', note: 'a long note about it', kind: 'x' },
  { id: 'b', note: '设置网络', kind: 'long' },
]
const at = (width?: number) => table(pageFor({ width }), columns, rows).split('\n')

test('everything stands in a pipe, in columns', () => {
  expect(at()).toEqual([
    'ID             NOTE                  KIND',
    'emulator-5554  a long note about it     x',
    'b              设置网络              long',
  ])
})

test('the cell that may be shortened is, before a column goes', () => {
  expect(at(30)).toEqual([
    'ID             NOTE       KIND',
    'emulator-5554  a long n…     x',
    'b              设置网络   long',
  ])
})

test('the least important column goes first', () => {
  expect(at(23)).toEqual(['ID             NOTE', 'emulator-5554  a long…', 'b              设置网络'])
  expect(at(18)).toEqual(['ID', 'emulator-5554', 'b'])
})

test('what cannot be left out is shortened in the end', () => {
  expect(at(8)).toEqual(['ID', 'emulato…', 'b'])
})

test('a column that says nothing is left out', () => {
  const text = table(pageFor(), columns, [{ id: 'a', note: '', kind: '' }])
  expect(text).toBe('ID\na')
})

test('a paragraph breaks between words, and not between a number and its unit', () => {
  expect(paragraph(pageFor({ width: 20 }), 'It took more than 12 s on the phone', 2)).toBe(
    'It took more than\n  12 s on the phone',
  )
  expect(paragraph(pageFor(), 'It is whole in a pipe')).toBe('It is whole in a pipe')
})

test('facts without a value are left out', () => {
  expect(
    facts(
      pageFor(),
      [
        ['A', undefined],
        ['Long', 'x'],
        ['B', ''],
      ],
      2,
    ),
  ).toBe('  Long  x')
})

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_240, '1.2 s'],
  [3_000, '3 s'],
  [59_999, '59.9 s'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [11_400_000, '3 h 10 min'],
  [187_200_000, '2 d 4 h'],
])('%d ms is %s', (ms, expected) => {
  expect(duration(ms)).toBe(expected)
})

test('a moment is told in one unit, and a clock that went back does not matter', () => {
  const now = 1_000_000_000
  expect([-5_000, 10, 3_400, 61_000, 7_200_000, 200_000_000].map(ms => ago(now - ms, now))).toEqual([
    'just now',
    'just now',
    '3 s ago',
    '1 min ago',
    '2 h ago',
    '2 d ago',
  ])
})

test('local time has its date where that is not today', () => {
  const now = Date.UTC(2026, 4, 4, 0, 30)
  const berlin = () => 120
  expect(localTime(now - 60_000, now, berlin)).toBe('02:29:00')
  expect(localTime(now - 10_800_000, now, berlin)).toBe('2026-05-03 23:30:00')
})

test.each([
  ['设置网络和互联网连接。请检查', ['设置网络和互', '联网连接。请', '检查']],
  ['ネットワークとインターネット', ['ネットワーク', 'とインター', 'ネット']],
  ['「設定」を開く', ['「設定」を開', 'く']],
  ['Wi-Fi设置 of 手机', ['Wi-Fi设置 of', '手机']],
  ['emulator-5554-long-name', ['emulator-5554-long-name']],
  ['네트워크인터넷설정', ['네트워크인터넷설정']],
])('text of a script without blanks is broken where a line is full: %s', (text, lines) => {
  expect(paragraph(pageFor({ width: 12 }), text).split('\n')).toEqual(lines)
})
