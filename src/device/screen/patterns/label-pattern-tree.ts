/** Reads the regular expression of `textMatches`; what would need backtracking (look-around, references to groups) is refused. */
import { PATTERN_REPEATS_MAX } from '../../../contracts/limits/matcher-limits.ts'
import { type CharTest, literalTest, rangeTest } from './char-test.ts'
import type { SplitPart } from './pattern-branches.ts'

export type PatternPart = { kind: 'char'; fits: CharTest } | SplitPart | { kind: 'assert'; what: Assertion }

type Assertion = 'start' | 'end' | 'boundary' | 'no-boundary'

export type PatternTree =
  | PatternPart
  | { kind: 'all'; of: PatternTree[] }
  | { kind: 'any'; of: PatternTree[] }
  | { kind: 'repeat'; of: PatternTree; min: number; max: number }

export class PatternProblem extends Error {
  /** The position of the pattern, from 0. */
  readonly at: number
  constructor(at: number, problem: string) {
    super(problem)
    this.at = at
  }
}

export const isWordChar = (char: string): boolean => /^\w$/.test(char)

const SETS: Readonly<Record<string, CharTest>> = {
  d: char => /^\d$/.test(char),
  D: char => !/^\d$/.test(char),
  w: isWordChar,
  W: char => !isWordChar(char),
  s: char => /^\s$/.test(char),
  S: char => !/^\s$/.test(char),
}
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }
const ASSERTIONS: Readonly<Record<string, Assertion>> = { b: 'boundary', B: 'no-boundary' }

const hex = (digits: string, at: number): string => {
  const point = Number.parseInt(digits, 16)
  if (point > 0x10ffff) throw new PatternProblem(at, 'no character has this number')
  return String.fromCodePoint(point)
}

type Escape = { char: string } | { set: CharTest }

export const readTree = (pattern: string): PatternTree => {
  let at = 0
  const next = (): string => String.fromCodePoint(pattern.codePointAt(at) ?? 0)
  const isAtEnd = () => at >= pattern.length
  const takes = (form: RegExp): string | undefined => {
    form.lastIndex = at
    const found = form.exec(pattern)?.[0]
    at += found?.length ?? 0
    return found
  }
  const fail = (problem: string, where = at): never => {
    throw new PatternProblem(where, problem)
  }

  /** Behind the backslash. */
  const escapeSequence = (): Escape => {
    const begun = at - 1
    if (isAtEnd()) return fail('the pattern ends with a backslash', begun)
    const coded = takes(/x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]{1,6}\}/iy)
    if (coded !== undefined) return { char: hex(coded.replace(/[xu{}]/gi, ''), begun) }
    const property = takes(/[pP]\{[\w=]{1,40}\}/y)
    if (property !== undefined) {
      try {
        const form = new RegExp(`^\\${property}$`, 'u')
        return { set: char => form.test(char) }
      } catch {
        return fail(`\\${property} is not a known Unicode property`, begun)
      }
    }
    const char = next()
    at += char.length
    const set = SETS[char]
    if (set) return { set }
    const control = CONTROLS[char]
    if (control !== undefined) return { char: control }
    if (/^[1-9k]$/.test(char)) return fail('references to groups are not supported', begun)
    if (/^[\da-z]$/i.test(char)) return fail(`\\${char} is not a known escape`, begun)
    return { char }
  }

  const classItem = (): Escape => {
    const char = next()
    at += char.length
    if (char !== '\\') return { char }
    return takes(/b/y) === undefined ? escapeSequence() : { char: '\b' }
  }

  /** Behind the opening bracket. */
  const charClass = (): CharTest => {
    const begun = at - 1
    const isNegated = takes(/\^/y) !== undefined
    const tests: CharTest[] = []
    while (takes(/\]/y) === undefined) {
      if (isAtEnd()) return fail('the bracket [ is not closed', begun)
      const place = at
      const from = classItem()
      if ('set' in from) tests.push(from.set)
      else if (takes(/-(?=[^\]])/y) === undefined) tests.push(literalTest(from.char, true))
      else {
        const to = classItem()
        if ('set' in to) return fail('a range needs a character at both ends', place)
        if ((from.char.codePointAt(0) ?? 0) > (to.char.codePointAt(0) ?? 0))
          return fail('the range is out of order', place)
        tests.push(rangeTest(from.char, to.char, true))
      }
    }
    return char => tests.some(test => test(char)) !== isNegated
  }

  /** Behind the opening parenthesis. */
  const group = (): PatternTree => {
    const begun = at - 1
    if (takes(/\?(?:=|!|<=|<!)/y) !== undefined) return fail('look-around is not supported', begun)
    if (takes(/\?/y) !== undefined && takes(/:|P?<[A-Za-z_]\w*>/y) === undefined) {
      return fail('only the groups (...), (?:...) and (?<name>...) are supported', begun)
    }
    const inside = choice()
    if (takes(/\)/y) === undefined) return fail('the parenthesis ( is not closed', begun)
    return inside
  }

  const atom = (): PatternTree => {
    const place = at
    const char = next()
    if (/^[*+?]$/.test(char) || takes(/(?=\{\d+(?:,\d*)?\})/y) !== undefined) return fail('there is nothing to repeat')
    at += char.length
    if (char === '(') return group()
    if (char === '[') return { kind: 'char', fits: charClass() }
    if (char === '.') return { kind: 'char', fits: () => true }
    if (char === '^' || char === '$') return { kind: 'assert', what: char === '^' ? 'start' : 'end' }
    if (char !== '\\') return { kind: 'char', fits: literalTest(char, true) }
    const assertion = takes(/[bB]/y)
    if (assertion !== undefined) return { kind: 'assert', what: ASSERTIONS[assertion] ?? fail('is unknown', place) }
    const escaped = escapeSequence()
    return { kind: 'char', fits: 'set' in escaped ? escaped.set : literalTest(escaped.char, true) }
  }

  const timesOf = (sign: string, place: number): { min: number; max: number } => {
    if (sign === '*') return { min: 0, max: Number.POSITIVE_INFINITY }
    if (sign === '+') return { min: 1, max: Number.POSITIVE_INFINITY }
    if (sign === '?') return { min: 0, max: 1 }
    const [least = '', most] = sign.slice(1, -1).split(',')
    const min = Number(least)
    const max = most === undefined ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    if (min > max) return fail('the repeat is out of order', place)
    if (min > PATTERN_REPEATS_MAX || (Number.isFinite(max) && max > PATTERN_REPEATS_MAX)) {
      return fail(`a repeat counts to ${PATTERN_REPEATS_MAX} at most`, place)
    }
    return { min, max }
  }

  const repeated = (): PatternTree => {
    const of = atom()
    const place = at
    const sign = takes(/[*+?]|\{\d+(?:,\d*)?\}/y)
    if (sign === undefined) return of
    // A lazy repeat fits the same whole texts.
    takes(/\?/y)
    return { kind: 'repeat', of, ...timesOf(sign, place) }
  }

  const sequence = (): PatternTree => {
    const of: PatternTree[] = []
    while (!isAtEnd() && takes(/(?=[|)])/y) === undefined) of.push(repeated())
    return { kind: 'all', of }
  }

  const choice = (): PatternTree => {
    const of = [sequence()]
    while (takes(/\|/y) !== undefined) of.push(sequence())
    return { kind: 'any', of }
  }

  const tree = choice()
  return isAtEnd() ? tree : fail('the parenthesis ) was never opened')
}
