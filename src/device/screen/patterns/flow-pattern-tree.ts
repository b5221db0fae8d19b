/** Reads the regular expressions of flows, which are written for Java, into trees. */
import { type CharTest, literalTest, rangeTest } from './char-test.ts'
import { CONTROLS, ESCAPED_SETS, isLineEnd, propertyTest } from './flow-pattern-chars.ts'
import { FLOW_FLAGS, type Flags, withFlags } from './flow-pattern-flags.ts'
import {
  isBeforeLastLineEnd,
  isBeforeLineEnd,
  isLineStart,
  isTextStart,
  PLACES,
  type PlaceTest,
} from './flow-pattern-places.ts'

export type FlowPatternTree =
  | { kind: 'char'; fits: CharTest }
  | { kind: 'place'; holds: PlaceTest }
  /** Looks at what stands behind or before the place, and takes none of it. */
  | { kind: 'look'; of: FlowPatternTree; isBehind: boolean; isNegated: boolean }
  | { kind: 'all'; of: FlowPatternTree[] }
  | { kind: 'any'; of: FlowPatternTree[] }
  | { kind: 'repeat'; of: FlowPatternTree; min: number; max: number }

/** Java refuses the pattern, so that its text is meant as it stands. */
export class NoPattern extends Error {}
/** A pattern of Java that is not supported here. */
export class UnsupportedPattern extends Error {}

type Escape = { char: string } | { set: CharTest }

const BACK_REFERENCE = 'refers to a group, such as \\1; write what the group matches instead'

const charOf = (digits: string, base: number): string => {
  const point = Number.parseInt(digits, base)
  if (!(point <= 0x10ffff)) throw new NoPattern()
  return String.fromCodePoint(point)
}

/** Throws NoPattern or UnsupportedPattern. */
export const readFlowTree = (pattern: string, initialFlags: Flags = FLOW_FLAGS): FlowPatternTree => {
  let at = 0
  let flags = initialFlags

  const isAtEnd = () => at >= pattern.length
  const fail = (): never => {
    throw new NoPattern()
  }
  const refuse = (problem: string): never => {
    throw new UnsupportedPattern(problem)
  }
  const takes = (form: RegExp): RegExpExecArray | undefined => {
    form.lastIndex = at
    const found = form.exec(pattern) ?? undefined
    at += found?.[0].length ?? 0
    return found
  }
  const nextChar = (): string => {
    const char = String.fromCodePoint(pattern.codePointAt(at) ?? fail())
    at += char.length
    return char
  }
  const skipComments = () => {
    if (flags.hasComments) takes(/(?:[ \t\n\v\f\r]|#[^\n\r\x85\u2028\u2029]*)*/y)
  }
  const literal = (char: string): FlowPatternTree => ({ kind: 'char', fits: literalTest(char, flags.isAnyCase) })

  /** Behind the backslash. */
  const escapeSequence = (): Escape => {
    if (isAtEnd()) return fail()
    const hex = takes(/x([0-9a-f]{2})|u([0-9a-f]{4})|x\{([0-9a-f]{1,6})\}/iy)
    if (hex) return { char: charOf(hex[1] ?? hex[2] ?? hex[3] ?? '', 16) }
    const octal = takes(/0([0-3][0-7]{2}|[0-7]{1,2})/y)
    if (octal) return { char: charOf(octal[1] ?? '', 8) }
    const control = takes(/c([\s\S])/y)
    if (control) return { char: String.fromCharCode((control[1]?.charCodeAt(0) ?? 0) ^ 64) }
    const property = takes(/([pP])(?:\{(\^?)([\w =-]{1,60})\}|([A-Z]))/y)
    if (property) {
      const [, sign = '', inverted = '', name = '', letter] = property
      const test = propertyTest(letter ?? name, flags.isAnyCase) ?? fail()
      const isNegated = (sign === 'P') !== (inverted === '^')
      return { set: char => test(char) !== isNegated }
    }
    const char = nextChar()
    const set = ESCAPED_SETS[char]
    if (set) return { set }
    const known = CONTROLS[char]
    if (known !== undefined) return { char: known }
    if (/^[1-9k]$/.test(char)) return refuse(BACK_REFERENCE)
    if (/^[GXN]$/.test(char)) return refuse(`holds \\${char}, which is not supported`)
    return /^[0-9A-Za-z]$/.test(char) ? fail() : { char }
  }

  /** Behind `\Q`. */
  const quotedText = (): string => takes(/([\s\S]*?)(?:\\E|$(?![\s\S]))/y)?.[1] ?? ''

  const classItem = (): Escape | { quoted: string } => {
    if (takes(/\\Q/y)) return { quoted: quotedText() }
    const char = nextChar()
    return char === '\\' ? escapeSequence() : { char }
  }

  /** Behind the opening bracket. */
  const charClass = (): CharTest => {
    const isNegated = takes(/\^/y) !== undefined
    let isFirst = true
    let tests: CharTest[] = []
    /** Everything before each `&&`. */
    const sides: CharTest[][] = []
    for (; ; isFirst = false) {
      skipComments()
      if (isAtEnd()) return fail()
      if (takes(/&&/y)) {
        sides.push(tests)
        tests = []
        continue
      }
      // A bracket that closes an empty class is a member of it.
      if (!(isFirst && tests.length === 0) && takes(/\]/y)) break
      if (takes(/\[/y)) {
        tests.push(charClass())
        continue
      }
      const from = classItem()
      if ('quoted' in from) tests.push(...[...from.quoted].map(char => literalTest(char, flags.isAnyCase)))
      else if ('set' in from) tests.push(from.set)
      else if (takes(/-(?=[^\][])/y)) {
        const to = classItem()
        if (!('char' in to) || (to.char.codePointAt(0) ?? 0) < (from.char.codePointAt(0) ?? 0)) return fail()
        tests.push(rangeTest(from.char, to.char, flags.isAnyCase))
      } else tests.push(literalTest(from.char, flags.isAnyCase))
    }
    const all = [...sides, tests].filter(side => side.length > 0)
    return char => all.every(side => side.some(test => test(char))) !== isNegated
  }

  const inside = (): FlowPatternTree => {
    const of = choice()
    return takes(/\)/y) ? of : fail()
  }

  /** Behind the opening parenthesis. Flags that are set inside of a group end with it. */
  const group = (): FlowPatternTree => {
    const before = flags
    const setting = takes(/\?([idmsuxU]*)(?:-([idmsuxU]*))?([:)])/y)
    if (setting) {
      flags = withFlags(flags, setting[1] ?? '', setting[2] ?? '')
      if (setting[3] === ')') return { kind: 'all', of: [] }
      const of = inside()
      flags = before
      return of
    }
    const look = takes(/\?(<?)([=!])/y)
    // An atomic group gives nothing back; here it may, which only lets it match more.
    if (!look && !takes(/\?>/y) && !takes(/\?<[A-Za-z][0-9A-Za-z]*>/y) && takes(/\?/y)) return fail()
    const of = inside()
    flags = before
    return look ? { kind: 'look', of, isBehind: look[1] === '<', isNegated: look[2] === '!' } : of
  }

  const atom = (): FlowPatternTree => {
    const char = nextChar()
    if (/^[*+?{]$/.test(char)) return fail()
    if (char === '(') return group()
    if (char === '[') return { kind: 'char', fits: charClass() }
    if (char === '.') {
      return flags.dotTakesLineEnds
        ? { kind: 'char', fits: () => true }
        : { kind: 'char', fits: other => !isLineEnd(other) }
    }
    if (char === '^') return { kind: 'place', holds: flags.isByLine ? isLineStart : isTextStart }
    if (char === '$') return { kind: 'place', holds: flags.isByLine ? isBeforeLineEnd : isBeforeLastLineEnd }
    if (char !== '\\') return literal(char)
    if (takes(/R/y)) {
      const ends = [literal('\r'), literal('\n')]
      return {
        kind: 'any',
        of: [
          { kind: 'all', of: ends },
          { kind: 'char', fits: ESCAPED_SETS.v ?? isLineEnd },
        ],
      }
    }
    const place = takes(/[AzZbB]/y)
    if (place) return { kind: 'place', holds: PLACES[place[0]] ?? fail() }
    const escaped = escapeSequence()
    return 'set' in escaped ? { kind: 'char', fits: escaped.set } : literal(escaped.char)
  }

  const timesOf = (sign: string): { min: number; max: number } => {
    if (sign === '*') return { min: 0, max: Number.POSITIVE_INFINITY }
    if (sign === '+') return { min: 1, max: Number.POSITIVE_INFINITY }
    if (sign === '?') return { min: 0, max: 1 }
    const [least = '', most] = sign.slice(1, -1).split(',')
    const min = Number(least)
    const max = most === undefined ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most)
    return min > max ? fail() : { min, max }
  }

  const repeated = (of: FlowPatternTree): FlowPatternTree => {
    skipComments()
    const sign = takes(/[*+?]|\{\d{1,9}(?:,\d{0,9})?\}/y)
    if (!sign) return takes(/\{/y) ? fail() : of
    // A lazy repeat fits the same whole texts; a possessive one may match more here.
    takes(/[?+]/y)
    return { kind: 'repeat', of, ...timesOf(sign[0]) }
  }

  const sequence = (): FlowPatternTree => {
    const of: FlowPatternTree[] = []
    for (;;) {
      skipComments()
      if (isAtEnd() || takes(/(?=[|)])/y)) return { kind: 'all', of }
      if (takes(/\\Q/y)) {
        const chars = [...quotedText()].map(literal)
        const last = chars.pop()
        of.push(...chars, ...(last ? [repeated(last)] : []))
      } else if (!takes(/\\E/y)) of.push(repeated(atom()))
    }
  }

  const choice = (): FlowPatternTree => {
    const of = [sequence()]
    while (takes(/\|/y)) of.push(sequence())
    return { kind: 'any', of }
  }

  const tree = choice()
  return isAtEnd() ? tree : fail()
}
