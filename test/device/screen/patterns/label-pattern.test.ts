/** Patterns are checked before a step is sent; one that is not matches nothing, and ends nothing. */
import { describe, expect, test } from 'vitest'
import { labelPattern, readPattern } from '../../../../src/device/screen/patterns/label-pattern.ts'

const problemOf = (pattern: string) => {
  const read = readPattern(pattern)
  return read.ok ? undefined : `${read.at}: ${read.problem}`
}

describe('a pattern is over the whole label, in any case', () => {
  test.each<[pattern: string, fits: string[], misses: string[]]>([
    ['wi-fi', ['Wi-Fi', 'WI-FI'], ['Wi-Fi settings', '']],
    ['.*fi.*', ['Wi-Fi\nsettings', 'fi'], ['Wi']],
    ['\\d{2}:\\d{2}', ['07:45'], ['7:45', '07:455']],
    ['a{2,}b?', ['aa', 'aaab'], ['a', 'aabb']],
    ['a{0,2}', ['', 'a', 'aa'], ['aaa']],
    ['(?:on|off|)', ['ON', 'off', ''], ['of']],
    ['(?<hour>\\d+) (?P<unit>h|min)', ['5 h', '10 MIN'], ['5h']],
    ['[^a-c\\d]+', ['xyz'], ['xaz', 'x1', 'xBz']],
    ['[\\]\\-a]+', ['a-]'], ['b']],
    ['.*\\bfi\\b.*', ['wi fi', 'fi!'], ['wifi', 'fit']],
    ['.*\\Bfi', ['wifi'], ['wi fi', 'fi']],
    ['^a$|^b$', ['a', 'B'], ['ab']],
    ['\\p{Lu}\\x41\\u0042\\u{43}', ['Éabc'], ['1abc']],
    ['.', ['😀', 'ß'], ['ab']],
    ['straße', ['STRAßE'], ['strase']],
    ['(a*)*b', ['aaab', 'b'], ['aaa']],
    ['a+?', ['aaa'], ['']],
    ['1\\.5\\s?€', ['1.5 €', '1.5€'], ['145 €']],
  ])('%s', (pattern, fits, misses) => {
    const matches = labelPattern(pattern)
    expect(fits.filter(label => !matches(label))).toEqual([])
    expect(misses.filter(matches)).toEqual([])
  })
})

test.each<[pattern: string, problem: string]>([
  ['ab(c', '2: the parenthesis ( is not closed'],
  ['ab)c', '2: the parenthesis ) was never opened'],
  ['a[bc', '1: the bracket [ is not closed'],
  ['[z-a]', '1: the range is out of order'],
  ['*a', '0: there is nothing to repeat'],
  ['a**', '2: there is nothing to repeat'],
  ['a|{2}', '2: there is nothing to repeat'],
  ['a{3,2}', '1: the repeat is out of order'],
  ['a{1001}', '1: a repeat counts to 1000 at most'],
  ['ab\\', '2: the pattern ends with a backslash'],
  ['(a)\\1', '3: references to groups are not supported'],
  ['a(?=b)', '1: look-around is not supported'],
  ['(?<!a)b', '0: look-around is not supported'],
  ['(?i)a', '0: only the groups (...), (?:...) and (?<name>...) are supported'],
  ['\\q', '0: \\q is not a known escape'],
  ['\\p{Nothing}', '0: \\p{Nothing} is not a known Unicode property'],
  ['\\u{110000}', '0: no character has this number'],
  ['((a{900}){900}){900}', '0: the pattern is too large: it stands for more than 1000 parts'],
  ['((){1000}){1000}', '0: the pattern is too large: it stands for more than 1000 parts'],
])('%s is refused with the position', (pattern, problem) => {
  expect(problemOf(pattern)).toBe(problem)
})

test('patterns that make others backtrack for ever cost each character of the label once', () => {
  const label = `${'a'.repeat(9_000)}!`
  const backtracking = ['(a+)+', '(a|aa)+', '(a|a?)+', '(.*)*b', '([a-z]+)*x', '(a?){300}a{300}']
  expect(backtracking.filter(pattern => labelPattern(pattern)(label))).toEqual([])
  expect(labelPattern('(a+)+!')(label)).toBe(true)
})

test('a label that is longer than the limit does not match', () => {
  expect(labelPattern('.*')('a'.repeat(10_000))).toBe(true)
  expect(labelPattern('.*')('a'.repeat(10_001))).toBe(false)
})

test('many different characters and labels are no memory that grows', () => {
  const matches = labelPattern('.*x.{40}')
  const label = (seed: number) =>
    Array.from({ length: 2_000 }, (_, at) => ((at * 7 + seed * 13) % 5 === 0 ? 'x' : 'y')).join('')
  for (let seed = 0; seed < 5; seed++) expect(matches(label(seed))).toBe(label(seed).at(-41) === 'x')
})

test('a pattern that cannot be read matches nothing', () => {
  expect(['', '(', 'a'].map(labelPattern('('))).toEqual([false, false, false])
})

test('a start in the middle of a label is none', () => {
  expect(['ab', 'b'].map(labelPattern('a?^b'))).toEqual([false, true])
})
