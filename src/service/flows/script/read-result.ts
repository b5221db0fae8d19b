/** The result of an evaluation, which came out of a process that scripts had their hands in. */
import { isObject } from '../../../contracts/json/json.ts'
import type { ScriptProblem } from './script-answer.ts'
import { readLabel } from './source-label.ts'

type Result = { texts: readonly string[]; value?: unknown } | Omit<ScriptProblem, 'logs' | 'effects'>

const isPosition = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** Lines count from that of the file on which the source begins. */
export const placeOf = (
  { label, line, column }: Readonly<{ label?: unknown; line?: unknown; column?: unknown }>,
  file: string,
): Pick<ScriptProblem, 'file' | 'line' | 'column'> => {
  const source = typeof label === 'string' ? readLabel(label) : undefined
  if (!source) return { file }
  if (!isPosition(line)) return { file: source.file, line: source.firstLine }
  const place = { file: source.file, line: source.firstLine + line - 1 }
  return isPosition(column) ? { ...place, column } : place
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const readResult = (text: string, file: string): Result => {
  const result = parse(text)
  if (isObject(result)) {
    const { texts, value, problem, isSyntax } = result
    if (typeof problem === 'string') {
      return { ok: false, kind: isSyntax === true ? 'syntax' : 'threw', problem, ...placeOf(result, file) }
    }
    if (Array.isArray(texts) && texts.every(each => typeof each === 'string')) return { texts, value }
  }
  const why = 'The script has replaced built-in functions, so that its value cannot be read.'
  return { ok: false, kind: 'threw', problem: why, file }
}
