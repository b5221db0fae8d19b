/**
 * Finds the place where a text stops being JSON, once `JSON.parse` has refused it: that names no position for most
 * mistakes, and its wording changes from one Node to the next. It also has no limit of depth.
 */
import { isNestedDeeper } from '../contracts/json.ts'

export interface JsonProblem {
  offset: number
  /** Names the token that JSON expects, or the one that is there and not allowed. */
  reason: string
}

type Bracket = '{' | '['
type Expecting = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'end'

const SPACE = /[ \t\n\r]*/y
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const HEX = /[0-9a-fA-F]{4}/y
const QUOTE = 0x22
const BACKSLASH = 0x5c
const FIRST_PRINTABLE = 0x20

const matchAt = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}

const problem = (offset: number, reason: string): JsonProblem => ({ offset, reason })

const escapeLength = (text: string, at: number): number => {
  const letter = text[at + 1] ?? ''
  if (letter === 'u') return matchAt(HEX, text, at + 2) === 0 ? 0 : 6
  return letter !== '' && '"\\/bfnrt'.includes(letter) ? 2 : 0
}

/** The offset behind the string that begins here. A loop, for regular expressions give up on very long strings. */
const endOfString = (text: string, start: number): number | JsonProblem => {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) return at + 1
    if (unit < FIRST_PRINTABLE)
      return problem(at, 'not valid JSON: a control character inside a string must be escaped')
    if (unit !== BACKSLASH) continue
    const length = escapeLength(text, at)
    if (length === 0) return problem(at, 'not valid JSON: a backslash in a string that does not start a valid escape')
    at += length - 1
  }
  return problem(text.length, 'not valid JSON: a string is never closed')
}

const WANTED: Record<Exclude<Expecting, 'comma'>, string> = {
  value: 'expected a value',
  'value or ]': 'expected a value or "]"',
  key: 'expected a key in double quotes',
  'key or }': 'expected a key in double quotes or "}"',
  colon: 'expected ":" after the key',
  end: 'expected nothing more',
}

const OPENING: Readonly<Record<string, Bracket>> = { '}': '{', ']': '[' }
const EMPTY = { '{': 'key or }', '[': 'value or ]' } as const

/** The value of a text that is JSON and nests no deeper than `depthMax`. Nothing of the text is read a second time. */
export const shallowJson = (text: string, depthMax: number): { value: unknown } | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isNestedDeeper(value, depthMax) ? undefined : { value }
  } catch {
    return undefined
  }
}

/** The first mistake, or undefined for a text that `JSON.parse` accepts and that nests no deeper than `depthMax`. */
export const findJsonProblem = (text: string, depthMax: number): JsonProblem | undefined => {
  const open: Bracket[] = []
  let expecting = 'value' as Expecting
  let at = 0
  const advance = (to: number, next: Expecting = open.length === 0 ? 'end' : 'comma') => {
    at = to
    expecting = next
  }
  const unexpected = () =>
    problem(at, expecting === 'comma' ? `expected "," or "${open.at(-1) === '{' ? '}' : ']'}"` : WANTED[expecting])

  for (;;) {
    at += matchAt(SPACE, text, at)
    if (at >= text.length) return expecting === 'end' ? undefined : unexpected()
    const char = text[at] ?? ''
    const isValueNext = expecting.startsWith('value')
    const isKeyNext = expecting.startsWith('key')
    const innermost = open.at(-1)
    if (char === '"' && (isValueNext || isKeyNext)) {
      const end = endOfString(text, at)
      if (typeof end !== 'number') return end
      if (isKeyNext) advance(end, 'colon')
      else advance(end)
    } else if ((char === '{' || char === '[') && isValueNext) {
      if (open.length >= depthMax) return problem(at, `nested deeper than ${depthMax} levels`)
      open.push(char)
      advance(at + 1, EMPTY[char])
    } else if (innermost && innermost === OPENING[char] && ['comma', EMPTY[innermost]].includes(expecting)) {
      open.pop()
      advance(at + 1)
    } else if (char === ':' && expecting === 'colon') {
      advance(at + 1, 'value')
    } else if (char === ',' && expecting === 'comma') {
      advance(at + 1, innermost === '{' ? 'key' : 'value')
    } else {
      const length = isValueNext ? matchAt(WORD, text, at) : 0
      if (length === 0) return unexpected()
      advance(at + length)
    }
  }
}
