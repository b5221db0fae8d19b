/** A failure of a script in words, with the place at which it arose. */
import type { EvaluationResult } from '../messages.ts'

const PROBLEM_CHARS_MAX = 4_000

const { parse } = JSON

type Failure = Extract<EvaluationResult, { problem: string }>

/** Frames of scripts bear the labels of their sources. */
const SCRIPT_FRAME = /(flow:[^\s()]*#L\d+):(\d+):(\d+)/

const textOf = (thrown: unknown): string => {
  try {
    return String(thrown)
  } catch {
    return 'The script threw a value that has no text.'
  }
}

/** The place of the innermost frame of a script. */
export const placeOf = (thrown: unknown): Pick<Failure, 'label' | 'line' | 'column'> => {
  try {
    const stack = thrown instanceof Error ? thrown.stack : undefined
    const found = typeof stack === 'string' ? SCRIPT_FRAME.exec(stack) : undefined
    const [, label, line, column] = found ?? []
    return label === undefined ? {} : { label, line: Number(line), column: Number(column) }
  } catch {
    return {}
  }
}

/** `JSON.parse` throws syntax errors too: whoever compiles the source again knows whether it is at fault. */
export const describeFailure = (thrown: unknown, syntaxProblem: () => string): Failure => {
  const whole = textOf(thrown)
  const problem = whole.length > PROBLEM_CHARS_MAX ? `${whole.slice(0, PROBLEM_CHARS_MAX)}...` : whole
  if (thrown instanceof SyntaxError) {
    const place = syntaxProblem()
    if (place !== '') return { problem, isSyntax: true, ...parse(place) }
  }
  return { problem, ...placeOf(thrown) }
}
