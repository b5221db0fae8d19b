/** Numbers of the command line, and the time that an execution gets. */
import { failure } from '../../contracts/failures.ts'
import { ENVELOPE_GRACE_MS, EXECUTION_TIMEOUT_MS, SYNTHETIC_TIMEOUT_MS } from '../../contracts/limits.ts'
import { quoted } from '../validation/show.ts'
import { accepted, type FlatCall, type Result, refused } from './command.ts'

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

export interface Named {
  /** The field of the payload, for the message and `details.path`. */
  field: string
  /** Where the caller wrote it: `--timeout`, `<ms>`. */
  from: string
}

const invalid = ({ field, from }: Named, must: string, text: string) =>
  refused(
    failure(
      'EXECUTION_VALIDATION_FAILED',
      `${field.split('.').at(-1)} must be ${must}, but ${from} is ${quoted(text)}`,
      {
        details: { path: field },
      },
    ),
  )

/** Ranges are left to the schema, which knows them. */
export const numberOf = (text: string, named: Named): Result<number> => {
  const value = DECIMAL.test(text.trim()) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? accepted(value) : invalid(named, 'a finite number', text)
}

export const wholeNumberWithin = (
  text: string,
  named: Named,
  { min, max }: { min: number; max: number },
): Result<number> => {
  const number = numberOf(text, named)
  if (!number.ok) return number
  const fits = Number.isInteger(number.value) && number.value >= min && number.value <= max
  return fits ? number : invalid(named, `a whole number from ${min} to ${max}`, text)
}

/** `--timeout` as the time for the whole execution; undefined when it was not given. */
export const executionTimeout = (call: Pick<FlatCall, 'text'>): Result<number | undefined> => {
  const text = call.text('timeout')
  if (text === undefined) return accepted(undefined)
  return wholeNumberWithin(text, { field: 'timeoutMs', from: '--timeout' }, EXECUTION_TIMEOUT_MS)
}

/** The execution around an action that may itself take `actionMs`. */
export const timeoutAround = (actionMs: number): number =>
  Math.min(Math.max(actionMs + ENVELOPE_GRACE_MS, SYNTHETIC_TIMEOUT_MS), EXECUTION_TIMEOUT_MS.max)
