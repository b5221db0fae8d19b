/** Whatever a caller sends, a real shell takes it for one word. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commandLine, quote } from '../../../src/runtime/text/quote.ts'
import { propertyRuns } from '../../support/property-runs.ts'

/** Any Unicode text but NUL and lone surrogates, which no command can be given. */
const word = fc.string({ unit: 'binary', maxLength: 60 }).map(text => text.replaceAll('\0', ''))
const hostile = fc.constantFrom(
  "'",
  "'\\''",
  '; reboot #',
  '$(id)',
  '`id`',
  '-n',
  '~',
  '*',
  '!',
  '\n',
  '\\',
  '"',
  '&',
  '',
)

test('any words survive a real shell', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(word, hostile), { minLength: 1, maxLength: 30 }), words => {
      const said = execFileSync('sh', ['-c', commandLine('printf', '%s\\0', ...words)]).toString()
      expect(said.split('\0').slice(0, -1)).toEqual(words)
    }),
    { numRuns: propertyRuns(60) },
  )
})

test('a plain word stays readable', () =>
  expect(commandLine('input', 'tap', '10', '/a-b_c.d')).toBe('input tap 10 /a-b_c.d'))
test('NUL is refused', () => expect(() => quote('a\0b')).toThrow(RangeError))
