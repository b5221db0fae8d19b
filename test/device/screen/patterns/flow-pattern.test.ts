import { describe, expect, test } from 'vitest'
import { flowPattern, flowTextPattern } from '../../../../src/device/screen/patterns/flow-pattern.ts'
import { withoutPauses } from '../../../../src/runtime/yielding.ts'

const matches = (pattern: string, text: string) => withoutPauses(flowPattern(pattern)(text))
const matchesText = (pattern: string, text: string) => withoutPauses(flowTextPattern(pattern)(text))

test.each<[pattern: string, fits: string[], others: string[]]>([
  ['Log in', ['log in', 'LOG IN'], ['Log in now', ' Log in']],
  ['straße', ['STRAßE', 'Straße'], ['strase']],
  ['.*cart.*', ['Add to Cart', 'a\ncart\nb'], ['Add to car']],
  ['Price: \\d+[.,]\\d{2}', ['price: 12.50', 'Price: 1,00'], ['Price: ١.٢٣', 'Price: 1.5']],
  ['a|b|', ['A', 'b', ''], ['ab']],
  ['(?:ab){2,3}', ['abab', 'ababab'], ['ab', 'abababab']],
  ['[A-C]x', ['bx', 'Cx'], ['dx']],
  ['[^0-9]+', ['abc'], ['a1']],
  ['[]a]+', [']a]'], ['b']],
  ['[a-z&&[^aeiou]]+', ['xyz', 'XYZ'], ['xay']],
  ['[ab[x-z]]', ['a', 'y'], ['c']],
  ['[\\Q-]\\E]', ['-', ']'], ['Q']],
  ['\\Q1+1 (a)\\E = \\d', ['1+1 (a) = 2', '1+1 (A) = 3'], ['11 (a) = 2']],
  ['\\Qa+', ['a+'], ['aa']],
  ['(?-i)OK', ['OK'], ['ok']],
  ['(?-i:O)K', ['Ok', 'OK'], ['ok']],
  ['((?-i)O)K', ['Ok'], ['ok']],
  ['(?-s)a.b', ['a b'], ['a\nb']],
  ['(?x) a b # and so on', ['ab'], ['a b']],
  ['(?<year>\\d{4})-(?<month>\\d\\d)', ['2026-08'], ['26-08']],
  ['a++b', ['aab'], ['b']],
  ['(?>a+)b', ['aab'], ['b']],
  ['a*?b', ['aab', 'b'], ['a']],
  ['^(?!.*Sold).*$', ['Chair'], ['Chair (sold out)', 'Sold']],
  ['(?=.*\\d)(?=.*[A-Z])\\w+', ['abc1', '1a'], ['abc', '12']],
  ['.*(?<=€)\\d+', ['only €12'], ['only 12']],
  ['(?:(?<!not )available|x)', ['available', 'x'], ['not available']],
  ['.*(?<!not )available', ['now available'], ['not available']],
  ['(?:(?!ab).)+', ['acb', 'ba'], ['cab']],
  ['(?=(?!b).)\\w', ['a'], ['b']],
  ['one$.^two', ['one\ntwo'], ['one two']],
  ['\\Aone\\z', ['one'], ['one\n']],
  ['one\\R*', ['one\r\n', 'one\n\n'], ['one ']],
  ['one\\Z.?', ['one', 'one\n'], ['one!']],
  ['\\bid\\b.*', ['id 3', 'ID'], ['idle', 'ideé']],
  ['a\\Bb', ['ab'], ['a b']],
  ['\\s+', ['\t \n'], ['\u00a0']],
  ['\\h+', ['\u00a0 '], ['\n']],
  ['\\p{Lu}+', ['ABC', 'abc'], ['1']],
  ['\\p{IsLatin}\\p{Punct}', ['a!'], ['я!']],
  ['\\P{L}\\pL', ['1a'], ['aa']],
  ['\\x41\\u0042\\x{43}\\0104', ['abcd'], ['abc']],
  ['\\t\\.\\/\\-', ['\t./-'], ['t./-']],
  ['😀.', ['😀😀', '😀a'], ['😀']],
  ['C++', ['c', 'CC'], ['C++']],
])('%j', (pattern, fits, others) => {
  expect(fits.filter(text => !matches(pattern, text))).toEqual([])
  expect(others.filter(text => matches(pattern, text))).toEqual([])
})

test.each([
  ...[
    '+49 30 1',
    'a**',
    '(a',
    'a)',
    '[a',
    'a{2,1}',
    'x{,3}',
    '{name}',
    '\\',
    '\\y',
    '(?P<a>b)',
    '(?#c)',
    '\\p{Nope}',
    '[z-a]',
  ],
])('%j is no regular expression of Java, and matched as it stands', pattern => {
  expect(matches(pattern, pattern)).toBe(true)
  expect(matches(pattern, pattern.toUpperCase())).toBe(true)
  expect(matches(pattern, `${pattern} `)).toBe(false)
})

describe('texts', () => {
  test.each([
    ['a text written as the pattern counts, whatever the pattern means', 'C++', 'C++', true],
    ['that text is not taken in any case', 'C++ (x)', 'c++ (x)', false],
    ['a line feed is a blank', 'Good morning', 'Good\nmorning', true],
    ['a line feed stays one too', 'Good\\nmorning', 'Good\nmorning', true],
    ['a blank is no line feed', 'Good\\nmorning', 'Good morning', false],
    ['the pattern written with blanks', 'Total (2)', 'Total\n(2)', true],
  ])('%s', (_name, pattern, text, isMatch) => {
    expect(matchesText(pattern, text)).toBe(isMatch)
  })
})

/** Each piece of work is a fraction of a millisecond. */
const piecesOf = (pattern: string, text: string): number => {
  const matching = flowPattern(pattern)(text)
  let pieces = 0
  for (let piece = matching.next(); !piece.done; piece = matching.next()) pieces += 1
  return pieces
}

test.each(['(a+)+$', '(a|aa)+b', '(.*a){20}b', '(?=(a+)+$)(a+)+b', '(?:(?=.*x).)*'])(
  'the work for %s grows with the text alone',
  pattern => {
    const text = `${'a'.repeat(3_000)}!`
    expect(matches(pattern, text)).toBe(false)
    expect(piecesOf(pattern, text)).toBeLessThan(300)
  },
)

test('a long match makes pauses', () => {
  expect(piecesOf('(?:a|b|ab)*', 'ab'.repeat(5_000))).toBeGreaterThan(10)
})
