/** Section CLI, `exec`: JSON text of a caller, parsed; a mistake is named with its line and column. */
import type { ErrorObject } from '../contracts/error.ts'
import { type FailureCode, failure } from '../contracts/failures.ts'
import { findJsonProblem, type JsonProblem, shallowJson } from './json-grammar.ts'
import { unprintableIn } from './validation/characters.ts'
import { DEPTH_MAX } from './validation/scan.ts'
import { quoted } from './validation/show.ts'

const BYTE_ORDER_MARK = '\ufeff'

export type Parsed = { ok: true; value: unknown } | { ok: false; error: ErrorObject }

export interface ParseOptions {
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

const refusal = (text: string, { what, code }: ParseOptions, offset: number, said: string, hint?: string): Parsed => {
  const position = positionOf(text, offset)
  const where = `line ${position.line}, column ${position.column}`
  return {
    ok: false,
    error: failure(code ?? 'EXECUTION_VALIDATION_FAILED', `${what}, ${where}: ${said}`, {
      details: { ...position },
      hint,
    }),
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
  const said = `the text holds ${unprintableIn(text) ?? 'an unreadable character'}`
  return refusal(text, options, found.index, said, 'Save the file as UTF-8.')
}

/** Keys that are there twice: the last one counts. */
export const parseJsonText = (text: string, options: ParseOptions): Parsed => {
  const refused = unreadable(text, options)
  if (refused) return refused
  const parsed = shallowJson(text, DEPTH_MAX)
  if (parsed) return { ok: true, value: parsed.value }
  const problem = findJsonProblem(text, DEPTH_MAX) ?? { offset: 0, reason: 'not valid JSON' }
  const hint = HINTS.find(({ when }) => when(text, problem))?.say
  const said = problem.reason.startsWith('expected')
    ? `not valid JSON: ${problem.reason}, but ${foundAt(text, problem.offset)}`
    : problem.reason
  return refusal(text, options, problem.offset, said, hint)
}
