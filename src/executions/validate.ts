/** Section POST /execute rules, rule 3: full execution validation. From whatever a caller sent to what a device gets. */
import * as v from 'valibot'
import type { ErrorObject } from '../contracts/error.ts'
import { Execution } from '../contracts/execution.ts'
import { failure } from '../contracts/failures.ts'
import { EXECUTION_BYTES, ID_CHARS_MAX } from '../contracts/limits.ts'
import { normaliseExecution } from './normalise.ts'
import { hintFor } from './validation/hints.ts'
import { located, ROOT_PATH, whereabouts } from './validation/location.ts'
import { type Problem, problemsIn } from './validation/problem.ts'
import { DEPTH_MAX, type Finding, scan } from './validation/scan.ts'
import { sentence } from './validation/sentences.ts'

/** More names than this help nobody. */
const INVALID_KEYS_MAX = 50
/** How many problems are named; how many more there are is said. */
const PROBLEMS_MAX = 50

export type Validation = { ok: true; execution: Execution } | { ok: false; error: ErrorObject }

const refused = (payload: unknown, path: readonly string[], said: string, hint?: string) =>
  failure('EXECUTION_VALIDATION_FAILED', located(payload, path, said), {
    details: { ...whereabouts(payload, path) },
    hint,
  })

const tooLarge = (bytes?: number): ErrorObject => {
  const size = bytes === undefined ? 'far over' : `${bytes} bytes of JSON, over`
  return failure('PAYLOAD_TOO_LARGE', `the execution is ${size} the limit of ${EXECUTION_BYTES} bytes`, {
    details: { path: ROOT_PATH, limit: EXECUTION_BYTES, ...(bytes === undefined ? {} : { bytes }) },
    hint: 'Send fewer actions at once, or shorter texts.',
  })
}

const unfit = (input: unknown, finding: Finding): ErrorObject => {
  if (finding.kind === 'large') return tooLarge()
  if (finding.kind === 'foreign') return refused(input, finding.path, `is a ${finding.what}, which JSON does not have`)
  const hint = 'A valid execution nests 5 levels deep, down to the keys of a matcher.'
  return refused(input, finding.path, `is nested deeper than ${DEPTH_MAX} levels`, hint)
}

const invalidKeysOf = ({ unknownKeys }: Problem): { invalidKeys?: string[] } =>
  unknownKeys.length === 0
    ? {}
    : { invalidKeys: unknownKeys.slice(0, INVALID_KEYS_MAX).map(key => key.slice(0, ID_CHARS_MAX)) }

/** The first problem is the message; the details have all of them. */
const invalid = (payload: unknown, issues: readonly [v.BaseIssue<unknown>, ...v.BaseIssue<unknown>[]]): ErrorObject => {
  const { first, others, omitted } = problemsIn(Execution, payload, issues, PROBLEMS_MAX)
  const problems = [first, ...others].map(problem => ({
    path: whereabouts(payload, problem.path).path,
    message: located(payload, problem.path, sentence(problem)),
  }))
  return failure('EXECUTION_VALIDATION_FAILED', problems[0]?.message ?? '', {
    details: {
      ...whereabouts(payload, first.path),
      ...invalidKeysOf(first),
      problems,
      ...(omitted === 0 ? {} : { problemsOmitted: omitted }),
    },
    hint: hintFor(first),
  })
}

const judge = (input: unknown) => {
  const finding = scan(input)
  if (finding !== undefined) return { error: unfit(input, finding) }
  const bytes = Buffer.byteLength(JSON.stringify(input) ?? '')
  if (bytes > EXECUTION_BYTES) return { error: tooLarge(bytes) }
  const payload = normaliseExecution(input)
  return { payload, result: v.safeParse(Execution, payload) }
}

type Issue = v.BaseIssue<unknown>
type Issues = [Issue, ...Issue[]]

const isSome = (issues: readonly Issue[]): issues is Issues => issues.length > 0

/**
 * The problem of a payload in which some values are not known yet: an issue counts unless `isOpen` says that its value
 * may still become one that is right. Checks that need such a value are left out.
 */
export const problemWithTemplate = (
  input: unknown,
  isOpen: (value: unknown, issue: Issue) => boolean,
): ErrorObject | undefined => {
  const judged = judge(input)
  if ('error' in judged) return judged.error
  const issues = (judged.result.issues ?? []).filter(issue => !isOpen(issue.path?.at(-1)?.value, issue))
  return isSome(issues) ? invalid(judged.payload, issues) : undefined
}

/** Judges size, then spelling and shape. Never throws, and leaves the input as it is. */
export const validateExecution = (input: unknown): Validation => {
  const judged = judge(input)
  if ('error' in judged) return { ok: false, error: judged.error }
  const { payload, result } = judged
  return result.success ? { ok: true, execution: result.output } : { ok: false, error: invalid(payload, result.issues) }
}
