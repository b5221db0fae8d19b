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

type Expecting = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'end'

interface Reader {
  text: string
  at: number
  /** The open brackets, outermost first. */
  open: ('{' | '[')[]
  expecting: Expecting
  depthMax: number
}

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

const WANTED: Record<Expecting, (open: Reader['open']) => string> = {
  value: () => 'expected a value',
  'value or ]': () => 'expected a value or "]"',
  key: () => 'expected a key in double quotes',
  'key or }': () => 'expected a key in double quotes or "}"',
  colon: () => 'expected ":" after the key',
  comma: open => `expected "," or "${open.at(-1) === '{' ? '}' : ']'}"`,
  end: () => 'expected nothing more',
}

const unexpected = ({ at, expecting, open }: Reader) => problem(at, WANTED[expecting](open))

const valueDone = (reader: Reader, length: number): void => {
  reader.at += length
  reader.expecting = reader.open.length === 0 ? 'end' : 'comma'
}

const readString = (reader: Reader): JsonProblem | undefined => {
  const end = endOfString(reader.text, reader.at)
  if (typeof end !== 'number') return end
  if (reader.expecting.startsWith('key')) {
    reader.at = end
    reader.expecting = 'colon'
  } else valueDone(reader, end - reader.at)
  return undefined
}

const openBracket = (reader: Reader, bracket: '{' | '['): JsonProblem | undefined => {
  if (reader.open.length >= reader.depthMax) return problem(reader.at, `nested deeper than ${reader.depthMax} levels`)
  reader.open.push(bracket)
  reader.at += 1
  reader.expecting = bracket === '{' ? 'key or }' : 'value or ]'
  return undefined
}

const closeBracket = (reader: Reader, opening: '{' | '['): JsonProblem | undefined => {
  const empty = opening === '{' ? 'key or }' : 'value or ]'
  const mayClose = reader.open.at(-1) === opening && (reader.expecting === 'comma' || reader.expecting === empty)
  if (!mayClose) return unexpected(reader)
  reader.open.pop()
  valueDone(reader, 1)
  return undefined
}

const separator = (reader: Reader, wanted: Expecting, next: Expecting): JsonProblem | undefined => {
  if (reader.expecting !== wanted) return unexpected(reader)
  reader.at += 1
  reader.expecting = next
  return undefined
}

const step = (reader: Reader): JsonProblem | undefined => {
  const { text, at, expecting, open } = reader
  const isValueNext = expecting.startsWith('value')
  switch (text[at]) {
    case '"':
      return isValueNext || expecting.startsWith('key') ? readString(reader) : unexpected(reader)
    case '{':
      return isValueNext ? openBracket(reader, '{') : unexpected(reader)
    case '[':
      return isValueNext ? openBracket(reader, '[') : unexpected(reader)
    case '}':
      return closeBracket(reader, '{')
    case ']':
      return closeBracket(reader, '[')
    case ':':
      return separator(reader, 'colon', 'value')
    case ',':
      return separator(reader, 'comma', open.at(-1) === '{' ? 'key' : 'value')
  }
  const length = isValueNext ? matchAt(WORD, text, at) : 0
  if (length === 0) return unexpected(reader)
  valueDone(reader, length)
  return undefined
}

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
  const reader: Reader = { text, at: 0, open: [], expecting: 'value', depthMax }
  for (;;) {
    reader.at += matchAt(SPACE, text, reader.at)
    if (reader.at >= text.length) return reader.expecting === 'end' ? undefined : unexpected(reader)
    const found = step(reader)
    if (found !== undefined) return found
  }
}
