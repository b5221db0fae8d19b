/**
 * Section CLI, `exec`: JSON text of a caller, parsed; a mistake is named with its line and column. `JSON.parse` names
 * no position for most mistakes, its wording changes from one Node to the next, and it has no limit of depth.
 */
import type { FailureCode } from '../../contracts/failures/failures.ts'
import { isNestedDeeper } from '../../contracts/json/json.ts'
import { PAYLOAD_DEPTH_MAX } from '../../contracts/limits/limits.ts'
import { unprintableIn } from './validation/characters.ts'
import { quoted } from './validation/show.ts'

interface JsonProblem {
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

const BYTE_ORDER_MARK = '\ufeff'

/** A failure without the facts of its row: the table of failures is a quarter of what a flat command would load. */
export interface JsonRefusal {
  code: FailureCode
  message: string
  details: Record<string, unknown>
  hint?: string
}

type Parsed = { ok: true; value: unknown } | { ok: false; error: JsonRefusal }

interface ParseOptions {
  /** Names the text in messages: `payload.json`, `--selector`. */
  what: string
  code?: FailureCode
}

interface Position {
  line: number
  column: number
  position: number
}

const positionOf = (text: string, offset: number): Position => {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  let line = 1
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) line += 1
  return { line, column: [...before.slice(lineStart)].length + 1, position: offset }
}

const foundAt = (text: string, offset: number): string => {
  const found = text.codePointAt(offset)
  return found === undefined ? 'the text ends' : `there is ${quoted(String.fromCodePoint(found))}`
}

/** Common mistakes in JSON, recognised by the text at which parsing stopped. */
const HINTS: readonly { when: (text: string, problem: JsonProblem) => boolean; say: string }[] = [
  { when: (_, { reason }) => reason.startsWith('nested'), say: 'A valid execution nests 5 levels deep.' },
  {
    when: (text, { offset }) => offset >= text.length,
    say: 'The text ends too early: was it truncated, or is a quote missing in the shell?',
  },
  { when: (text, { offset }) => text[offset] === "'", say: 'Use double quotes: JSON has no single quotes.' },
  { when: (text, { offset }) => /^\/[/*]/.test(text.slice(offset, offset + 2)), say: 'JSON has no comments.' },
  {
    when: (text, { offset }) => /[}\]]/.test(text[offset] ?? '') && /,\s*$/.test(text.slice(0, offset)),
    say: 'Remove the comma before the closing bracket.',
  },
  {
    when: (_, { reason }) => reason.includes('key'),
    say: 'Put keys in double quotes; a shell may have removed them.',
  },
]

const refusal = (
  text: string,
  { what, code }: ParseOptions,
  offset: number,
  sentence: string,
  hint?: string,
): Parsed => {
  const position = positionOf(text, offset)
  const where = `line ${position.line}, column ${position.column}`
  return {
    ok: false,
    error: {
      code: code ?? 'EXECUTION_VALIDATION_FAILED',
      message: `${what}, ${where}: ${sentence}`,
      details: { ...position },
      ...(hint === undefined ? {} : { hint }),
    },
  }
}

const unreadable = (text: string, options: ParseOptions): Parsed | undefined => {
  if (text.trim() === '') return refusal(text, options, 0, 'the text is empty; expected JSON')
  if (text.startsWith(BYTE_ORDER_MARK)) {
    const hint = 'Save the file as UTF-8 without a byte order mark.'
    return refusal(text, options, 0, 'the text begins with a byte order mark (U+FEFF), which JSON does not have', hint)
  }
  const found = /[\0\p{Cs}]/u.exec(text)
  if (!found) return undefined
  const sentence = `the text holds ${unprintableIn(text) ?? 'an unreadable character'}`
  return refusal(text, options, found.index, sentence, 'Save the file as UTF-8.')
}

/** Keys that are there twice: the last one counts. */
export const parseJsonText = (text: string, options: ParseOptions): Parsed => {
  const refused = unreadable(text, options)
  if (refused) return refused
  const parsed = shallowJson(text, PAYLOAD_DEPTH_MAX)
  if (parsed) return { ok: true, value: parsed.value }
  const problem = findJsonProblem(text, PAYLOAD_DEPTH_MAX) ?? { offset: 0, reason: 'not valid JSON' }
  const hint = HINTS.find(({ when }) => when(text, problem))?.say
  const sentence = problem.reason.startsWith('expected')
    ? `not valid JSON: ${problem.reason}, but ${foundAt(text, problem.offset)}`
    : problem.reason
  return refusal(text, options, problem.offset, sentence, hint)
}
