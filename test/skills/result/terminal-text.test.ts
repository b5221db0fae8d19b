import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTerminalText } from '../../../src/skills/result/terminal-text.ts'

const clean = (...chunks: string[]) => {
  const terminal = createTerminalText()
  return chunks.map(chunk => terminal.push(chunk)).join('')
}

test.each([
  ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
  ['cursor and private modes', '\u001b[?25l\u001b[2K\u001b[10;20Hx\u001b[?2004h', 'x'],
  ['a window title, ended by BEL', '\u001b]0;my title\u0007x', 'x'],
  ['a link, ended by ST', '\u001b]8;;http://a.b/c d\u001b\\x\u001b]8;;\u001b\\', 'x'],
  ['a device control string', '\u001bP1$r0m\u001b\\x', 'x'],
  ['character sets and keypad modes', '\u001b(B\u001b=\u001b>\u001b7x\u001b8', 'x'],
  ['carriage returns', 'a\r\nb\rc', 'a\nbc'],
  ['brackets that are text', '[1m] é \u{1f600}\t\n', '[1m] é \u{1f600}\t\n'],
])('%s', (_name, text, expected) => expect(clean(text)).toBe(expected))

test('a code that is cut anywhere is still one', () => {
  const text = 'a\u001b[1;31mred\u001b[0m\r\n\u001b]0;title\u001b\\b\u001b(Bc\u001bP0q\u001b\\d'
  for (let cut = 0; cut <= text.length; cut++) expect(clean(text.slice(0, cut), text.slice(cut))).toBe('ared\nbcd')
  expect(clean(...text)).toBe('ared\nbcd')
})

test('text without escapes passes, cut or not', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), chunks => {
      const plain = chunks.map(chunk => chunk.replaceAll('\u001b', '').replaceAll('\r', ''))
      expect(clean(...plain)).toBe(plain.join(''))
    }),
  )
})

test('a code that never ends holds back a bounded amount', () => {
  const terminal = createTerminalText()
  terminal.push('\u001b]0;')
  let shown = 0
  for (let sent = 0; sent < 100; sent++) shown += terminal.push('x'.repeat(1_000)).length
  expect(shown).toBeGreaterThan(90_000)
})
