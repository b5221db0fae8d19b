/** The skill's own reason: where it is looked for, and that it can do no harm where it is shown. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SKILL_REASON_CHARS_MAX } from '../../../../src/contracts/limits/limits.ts'
import type { SkillResult } from '../../../../src/contracts/skills/skill-result.ts'
import {
  createTerminalText,
  lastLineOf,
  noteOf,
  plainLine,
} from '../../../../src/service/skills/result/failure-reason.ts'

const framed = (more: Partial<SkillResult>): SkillResult => ({
  contractVersion: '1.0.0',
  skillId: 'com.lab.do',
  result: null,
  status: 'failed',
  checkpoints: [],
  source: { kind: 'script' },
  ...more,
})

describe('the note of a frame', () => {
  const failed = { id: 'b', status: 'failed', note: 'the row is missing' } as const
  const full = framed({
    checkpoints: [{ id: 'a', status: 'ok', note: 'opened' }, { id: 'x', status: 'failed', note: ' ' }, failed],
    terminalVerification: { status: 'failed', note: 'not at 22' },
    diagnostics: { warnings: ['', 'slow'], hints: ['try again'] },
  })

  test('is that of the first failed checkpoint, then the verification, then a warning, then a hint', () => {
    expect(noteOf(full)).toBe('the row is missing')
    const unchecked = { ...full, checkpoints: full.checkpoints.slice(0, 2) }
    expect(noteOf(unchecked)).toBe('not at 22')
    expect(noteOf({ ...unchecked, terminalVerification: { status: 'failed' } })).toBe('slow')
    expect(noteOf({ ...unchecked, terminalVerification: { status: 'verified', note: 'at 22' } })).toBe('slow')
    expect(noteOf(framed({ diagnostics: { hints: ['try again'] } }))).toBe('try again')
    expect(noteOf(framed({ checkpoints: [{ id: 'a', status: 'ok', note: 'opened' }] }))).toBeUndefined()
  })

  test('may be null wherever it may be absent', () => {
    const nothing = framed({
      checkpoints: [{ id: 'a', status: 'failed', note: null }],
      terminalVerification: null,
      diagnostics: null,
    })
    expect(noteOf(nothing)).toBeUndefined()
  })
})

describe('the last line of stderr', () => {
  test.each([
    ['is without its end', 'first\nlast\n', 'last'],
    ['is followed by lines without text', 'last\n\n  \t\n\u001b[0m\n', 'last'],
    ['is what a progress line became', 'load 10%\rload 20%\rno network\r\n', 'no network'],
    [
      'is of a Python error',
      'Traceback (most recent call last):\n  File "a.py"\nValueError: no row\n',
      'ValueError: no row',
    ],
    ['is the beginning of a long one', `a\n${'b'.repeat(200_000)}`, `${'b'.repeat(SKILL_REASON_CHARS_MAX - 1)}…`],
  ])('%s', (_name, stderr, line) => expect(lastLineOf(stderr)).toBe(line))

  test('there is none', () => {
    for (const stderr of ['', '\n', ' \n\t\n', '\u001b[2K\u200b\n']) expect(lastLineOf(stderr)).toBeUndefined()
  })

  test('of an uncaught error of Node is the error, not the version of Node', () => {
    const uncaught = [
      'warming up',
      '/skills/run.js:3',
      "  throw new Error('no such row')",
      '  ^',
      '',
      'Error: no such row',
      '    at run (/skills/run.js:3:9)',
      '    at node:internal/main {',
      "  code: 'ENOROW',",
      '}',
      '',
      'Node.js v20.20.0',
    ].join('\n')
    expect(lastLineOf(uncaught)).toBe('Error: no such row')
    expect(lastLineOf('needs\nNode.js v22')).toBe('Node.js v22')
  })
})

describe('a line that is shown', () => {
  test.each([
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['eight-bit codes', '\u009b31mred\u009b0m', 'red'],
    ['the title of a window', '\u001b]0;owned\u0007text\u001b]8;;http://x\u001b\\link', 'textlink'],
    ['a code that never ends', 'a\u001b]0;title', 'a'],
    ['a bare escape', 'a\u001b', 'a'],
    ['control characters', 'a\u0000b\u0007c\u0008d\te\u0085f', 'a b c d e f'],
    ['bidi controls', 'a\u202eb\u2066c\u2069d\u061ce', 'abcde'],
    ['what nobody sees', 'a\u200bb\ufeffc\u2060d\u00ade\u{e0041}f\u3164g', 'abcdefg'],
    ['separators', 'a\u2028b\u00a0\u3000c', 'a b c'],
    ['half a character', 'a\ud83db', 'a\ufffdb'],
  ])('has no harm of %s', (_name, text, shown) => expect(plainLine(text)).toBe(shown))

  test('is not cut inside a character', () => {
    const line = plainLine(`${'a'.repeat(SKILL_REASON_CHARS_MAX - 2)}${'😀'.repeat(9)}`)
    expect(line).toBe(`${'a'.repeat(SKILL_REASON_CHARS_MAX - 2)}…`)
  })
})

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

test('a code that the end of the output cut off is no text of what comes then', () => {
  const terminal = createTerminalText()
  expect(terminal.push('a\u001b[3')).toBe('a')
  terminal.end()
  expect(terminal.push('1mb')).toBe('1mb')
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
