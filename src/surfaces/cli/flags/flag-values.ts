/**
 * Values of flags: numbers, one of a few words and what was probably meant otherwise, the time that an execution
 * gets, the reservation that a command belongs to (`--lease`), and how a result is printed (`--output`).
 */

import { EXECUTION_TIMEOUT_MS } from '../../../contracts/limits/limits.ts'
import { isId, LEASE_ENV, skillRunIn } from '../../../contracts/records/ids.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { quoted } from '../../../service/executions/validation/show.ts'
import {
  type Command,
  type CommandContext,
  CommandError,
  type Environment,
  type Given,
  type OutputFormat,
  usage,
} from '../command.ts'

const FORMATS: readonly OutputFormat[] = ['json', 'pretty', 'text']

const formatIn = (text: string | undefined): OutputFormat | undefined => FORMATS.find(format => format === text)

export const isOutputFormat = (text: string | undefined): boolean => formatIn(text) !== undefined

/** The script of a skill reads JSON, whatever its caller prefers. */
const inherited = (env: Environment): string | undefined =>
  skillRunIn(env) === undefined && env.SVC_OUTPUT?.trim() ? env.SVC_OUTPUT.trim() : undefined

export const outputFormat = ({ isOn, text }: Given, env: Environment): OutputFormat =>
  isOn('json') ? 'json' : (formatIn(text('output')) ?? formatIn(inherited(env)) ?? 'json')

const refuse = (name: string, wrong: string) => {
  throw usage(`${name} must be json, pretty or text; got "${wrong}".${didYouMean(wrong, FORMATS)}`)
}

export const refuseOutput = (call: Given, env: Environment, { writesOutput, text }: Command): void => {
  const wrong = writesOutput ? undefined : call.all('output').find(each => !isOutputFormat(each))
  if (wrong !== undefined) refuse('--output', wrong)
  const preferred = inherited(env)
  const isDecided = call.isOn('json') || isOutputFormat(call.text('output')) || text === 'unchanged'
  if (!isDecided && preferred !== undefined && !isOutputFormat(preferred)) refuse('SVC_OUTPUT', preferred)
}

/** Undefined where the command belongs to none. */
export const leaseOf = ({ text, env }: Pick<CommandContext, 'text' | 'env'>): string | undefined => {
  const flag = text('lease')
  const leaseId = flag ?? (env[LEASE_ENV]?.trim() || undefined)
  if (leaseId === undefined) return undefined
  if (isId(leaseId)) return leaseId
  throw usage(`${flag === undefined ? LEASE_ENV : '--lease'} must be the leaseId of a reservation; got "${leaseId}".`, {
    hint: 'svc lease list shows the reservations that are held.',
  })
}

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
