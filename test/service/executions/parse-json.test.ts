import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PAYLOAD_DEPTH_MAX } from '../../../src/contracts/limits/limits.ts'
import { findJsonProblem, parseJsonText } from '../../../src/service/executions/parse-json.ts'
import { propertyRuns } from '../../support/property-runs.ts'
import { around, FULL_ACTIONS } from './payloads.ts'
import { expectReadable } from './refusals.ts'

const refusalOf = (text: string) => {
  const result = parseJsonText(text, { what: 'payload.json' })
  if (result.ok) throw new Error(`accepted: ${text.slice(0, 200)}`)
  expectReadable(result.error)
  return result.error
}

const PREFIX = 'payload.json, '

describe('mistakes are named with line and column', () => {
  test.each([
    ['', 'line 1, column 1: the text is empty; expected JSON'],
    [' \n\t', 'line 1, column 1: the text is empty; expected JSON'],
    ['hello', 'line 1, column 1: not valid JSON: expected a value, but there is "h"'],
    ['{bad}', 'line 1, column 2: not valid JSON: expected a key in double quotes or "}", but there is "b"'],
    ['{"a":1,}', 'line 1, column 8: not valid JSON: expected a key in double quotes, but there is "}"'],
    ['[1,]', 'line 1, column 4: not valid JSON: expected a value, but there is "]"'],
    ['[,1]', 'line 1, column 2: not valid JSON: expected a value or "]", but there is ","'],
    ['[1 2]', 'line 1, column 4: not valid JSON: expected "," or "]", but there is "2"'],
    ['{"a" 1}', 'line 1, column 6: not valid JSON: expected ":" after the key, but there is "1"'],
    ['{"a":1 "b":2}', 'line 1, column 8: not valid JSON: expected "," or "}", but there is "\\""'],
    ['{"a":1]', 'line 1, column 7: not valid JSON: expected "," or "}", but there is "]"'],
    ['{"a":', 'line 1, column 6: not valid JSON: expected a value, but the text ends'],
    ['{"a":1', 'line 1, column 7: not valid JSON: expected "," or "}", but the text ends'],
    ['{"a":"b', 'line 1, column 8: not valid JSON: a string is never closed'],
    ['{} {}', 'line 1, column 4: not valid JSON: expected nothing more, but there is "{"'],
    ['01', 'line 1, column 2: not valid JSON: expected nothing more, but there is "1"'],
    ['"a\tb"', 'line 1, column 3: not valid JSON: a control character inside a string must be escaped'],
    ['"\\x"', 'line 1, column 2: not valid JSON: a backslash in a string that does not start a valid escape'],
    ['"\\u12g4"', 'line 1, column 2: not valid JSON: a backslash in a string that does not start a valid escape'],
    ['{\n  "a": 1,\n  "b" 2\n}', 'line 3, column 7: not valid JSON: expected ":" after the key, but there is "2"'],
    ['{"😀😀": x}', 'line 1, column 8: not valid JSON: expected a value, but there is "x"'],
    ['\ufeff{}', 'line 1, column 1: the text begins with a byte order mark (U+FEFF), which JSON does not have'],
    ['{"a":\n"\0"}', 'line 2, column 2: the text holds NUL (U+0000) at character 8'],
    ['{"a":"\ud800"}', 'line 1, column 7: the text holds a lone surrogate (U+D800) at character 7'],
  ])('%j', (text, message) => {
    const error = refusalOf(text)
    expect(error).toMatchObject({ code: 'EXECUTION_VALIDATION_FAILED', message: PREFIX + message })
  })

  test('also for programs', () => {
    expect(refusalOf('{\n  "a": 1,\n  b}').details).toEqual({ line: 3, column: 3, position: 14 })
  })

  test.each([
    ["{'a':1}", 'Use double quotes: JSON has no single quotes.'],
    ['{"a":1,}', 'Remove the comma before the closing bracket.'],
    ['[1,\n]', 'Remove the comma before the closing bracket.'],
    ['{a:1}', 'Put keys in double quotes; a shell may have removed them.'],
    ['{"a":1} // x', 'JSON has no comments.'],
    ['{"a":[1', 'The text ends too early: was it truncated, or is a quote missing in the shell?'],
    ['\ufeff{}', 'Save the file as UTF-8 without a byte order mark.'],
  ])('%j has a hint', (text, hint) => expect(refusalOf(text).hint).toBe(hint))

  test('with another code for other texts', () => {
    const result = parseJsonText('{', { what: '--vars', code: 'COMPILE_VARS_PARSE_FAILED' })
    expect(result).toMatchObject({ ok: false, error: { code: 'COMPILE_VARS_PARSE_FAILED' } })
  })

  test('a long text does not come back', () => {
    expect(JSON.stringify(refusalOf(`{"a":"${'x'.repeat(3_000_000)}" ${'y'.repeat(1_000)}}`)).length).toBeLessThan(500)
    expect(JSON.stringify(refusalOf(`"${'\\n'.repeat(1_000_000)}`)).length).toBeLessThan(500)
  })
})

describe('depth', () => {
  const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

  test('up to the limit is fine', () => {
    expect(parseJsonText(lists(PAYLOAD_DEPTH_MAX), { what: 'x' }).ok).toBe(true)
  })

  test.each([PAYLOAD_DEPTH_MAX + 1, 10_000, 100_000, 1_000_000])('%i levels are refused', levels => {
    const message = `payload.json, line 1, column ${PAYLOAD_DEPTH_MAX + 1}: nested deeper than ${PAYLOAD_DEPTH_MAX} levels`
    expect(refusalOf(lists(levels))).toMatchObject({ message })
    expect(refusalOf('['.repeat(levels))).toMatchObject({ message })
    expect(refusalOf('{"a":'.repeat(levels)).message).toContain('nested deeper')
  })

  test('brackets inside strings do not count', () => {
    const text = JSON.stringify({ a: `${'['.repeat(1_000)}"\\"${'{'.repeat(1_000)}` })
    expect(parseJsonText(text, { what: 'x' }).ok).toBe(true)
  })

  test('every legal payload passes', () => {
    const payload = around(...FULL_ACTIONS)
    expect(parseJsonText(JSON.stringify(payload, null, 2), { what: 'x' })).toEqual({ ok: true, value: payload })
  })
})

test('of two equal keys the last one counts', () => {
  expect(parseJsonText('{"a":1,"a":2}', { what: 'x' })).toEqual({ ok: true, value: { a: 2 } })
})

describe('the grammar is that of JSON.parse', () => {
  const accepts = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  const agrees = (text: string): void => {
    expect(findJsonProblem(text, 1_000) === undefined, text).toBe(accepts(text))
  }

  test('for JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, '\t'), (text, indent) => {
        agrees(text)
        agrees(JSON.stringify(JSON.parse(text), null, indent))
      }),
    )
  })

  test('for JSON with a character added, removed or replaced', () => {
    const pieces = [
      '',
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '0',
      '1',
      '-',
      '.',
      'e',
      'u',
      ' ',
      '\n',
      '\u0001',
      'true',
    ]
    const at = fc.nat()
    fc.assert(
      fc.property(fc.json(), at, fc.constantFrom(...pieces), fc.nat({ max: 2 }), (text, seed, piece, removed) => {
        const index = seed % (text.length + 1)
        agrees(text.slice(0, index) + piece + text.slice(index + removed))
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })

  test('for any text of its characters', () => {
    const characters = fc.constantFrom(...'{}[],:"\\0123456789-+.eEtruefalsn \n\t\u0000u')
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 12 }), found => agrees(found.join(''))),
      { numRuns: propertyRuns(3_000) },
    )
  })
})
