/**
 * Reads the answers of a process that scripts had their hands in: the result of an evaluation, and in stack traces the
 * places of its sources.
 */

import { isObject } from '../../../contracts/json/json.ts'
import type { ScriptProblem } from './script-answer.ts'

// The place of a source, as it stands in the stack traces of its scripts.

const PREFIX = 'flow:'

/** Half a character has no encoding. */
const BROKEN = /\p{Surrogate}/gu
/** A label ends where a blank or a bracket stands. */
const ESCAPED = /[#?()]/g
const escapeSign = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`

export const sourceLabel = (file: string, firstLine: number): string =>
  `${PREFIX}${encodeURI(file.replace(BROKEN, '\ufffd')).replace(ESCAPED, escapeSign)}#L${firstLine}`

/** Undefined for what a script made up. */
const readLabel = (label: string): { file: string; firstLine: number } | undefined => {
  const [, file, firstLine] = /^flow:(.*)#L(\d+)$/.exec(label) ?? []
  try {
    return file === undefined ? undefined : { file: decodeURIComponent(file), firstLine: Number(firstLine) }
  } catch {
    return undefined
  }
}

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
