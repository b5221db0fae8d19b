/**
 * Values of flags: numbers, one of a few words and what was probably meant otherwise, and the time that an execution
 * gets.
 */

import { EXECUTION_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { quoted } from '../../../service/executions/validation/show.ts'
import { CommandError, type Given, usage } from '../command.ts'

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

interface NumberSource {
  /** The field of the payload, for the message and `details.path`. */
  field: string
  /** Names the flag or argument in messages: `--timeout`, `<ms>`. */
  from: string
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, sec: 1_000, m: 60_000, min: 60_000 }

/** Times are numbers without a unit; a time with one is told in milliseconds. */
const millisecondsHint = (text: string): string => {
  const [, count = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(text) ?? []
  const ms = Number(count) * (UNIT_MS[unit.toLowerCase()] ?? Number.NaN)
  const example = Number.isInteger(ms) ? ms : 5_000
  return `Give it in whole milliseconds, without a unit: ${example}.`
}

const invalid = ({ field, from }: NumberSource, must: string, text: string) =>
  new CommandError(
    'EXECUTION_VALIDATION_FAILED',
    `${field.split('.').at(-1)} must be ${must}, but ${from} is ${quoted(text)}`,
    { details: { path: field }, hint: field.endsWith('Ms') ? millisecondsHint(text) : undefined },
  )

/** Ranges are left to the schema, which knows them. */
export const numberOf = (text: string, source: NumberSource): number => {
  const value = DECIMAL.test(text.trim()) ? Number(text) : Number.NaN
  if (!Number.isFinite(value)) throw invalid(source, 'a finite number', text)
  return value
}

export const wholeNumberWithin = (
  text: string,
  source: NumberSource,
  { min, max }: { min: number; max: number },
): number => {
  const value = numberOf(text, source)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw invalid(source, `an integer from ${min} to ${max}`, text)
}

/** `--timeout` as the time for the whole execution; undefined when it was not given. */
export const executionTimeout = ({ text }: Pick<Given, 'text'>): number | undefined => {
  const timeout = text('timeout')
  if (timeout === undefined) return undefined
  return wholeNumberWithin(timeout, { field: 'timeoutMs', from: '--timeout' }, EXECUTION_TIMEOUT_MS)
}

export const wholeNumber = (
  call: Given,
  flag: string,
  { min, max }: { min: number; max: number },
): number | undefined => {
  const text = call.text(flag)
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw usage(`--${flag} must be an integer from ${min} to ${max}; got "${text}".`)
  return value
}

export const oneOf = <const T extends string>(call: Given, flag: string, known: readonly T[]): T | undefined => {
  const text = call.text(flag)
  const found = known.find(each => each === text)
  if (text === undefined || found !== undefined) return found
  throw usage(`--${flag} must be one of ${known.join(', ')}; got "${text}".${didYouMean(text, known)}`)
}
