/** The arguments of commands and `mobile:` methods: read by a schema for each, with words that name the wrong one. */

import * as v from 'valibot'
import { type Issue, issuePath } from '../../../contracts/json/issue.ts'
import { isObject } from '../../../contracts/json/json.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import { WebDriverError } from './webdriver-error.ts'

// Bytes as base64 in arguments and answers.

/** Some clients break it into lines. */
const BASE64 = /^[A-Za-z\d+/]*={0,2}$/

export const bytesOf = (base64: string, name: string): Buffer => {
  const joined = base64.replace(/\s+/g, '')
  if (BASE64.test(joined) && joined.replace(/=+$/, '').length % 4 !== 1) return Buffer.from(joined, 'base64')
  throw invalid(`The argument ${name} must be base64.`)
}

export const base64Of = (bytes: Buffer): string => bytes.toString('base64')

export const text = v.string('must be a text')
export const someText = v.pipe(text, v.minLength(1, 'must not be empty'))
export const flag = v.boolean('must be true or false')
export const number = v.pipe(
  v.number('must be a number'),
  v.check(value => Number.isFinite(value), 'must be a number'),
)
export const notNegative = v.pipe(number, v.minValue(0, 'must not be negative'))
export const whole = v.pipe(notNegative, v.integer('must be a whole number'))
export const texts = v.array(text, 'must be an array of texts')
export const optional = <const S extends v.GenericSchema>(schema: S) => v.optional(schema)
export const oneOf = <const W extends readonly string[]>(words: W) =>
  v.picklist(words, `must be one of ${words.join(', ')}`)
/** A text, or an array of texts: read as an array. */
export const oneOrMore = v.pipe(
  v.union([v.array(text), text], 'must be a text or an array of texts'),
  v.transform(words => (typeof words === 'string' ? [words] : words)),
)

export type Entries = Readonly<Record<string, v.GenericSchema>>
export type Arguments<E extends Entries> = v.InferOutput<v.ObjectSchema<E, undefined>>

export const invalid = (message: string): WebDriverError => new WebDriverError('invalid argument', message)
export const unsupported = (message: string): WebDriverError => new WebDriverError('unsupported operation', message)

const SHOWN_CHARS_MAX = 100

const shownValue = (value: unknown): string => {
  const json = JSON.stringify(value) ?? String(value)
  return json.length > SHOWN_CHARS_MAX ? `${json.slice(0, SHOWN_CHARS_MAX)}...` : json
}

const listed = (names: readonly string[]) => (names.length === 0 ? 'no argument' : names.join(', '))

/** What an argument is; its value may be a secret, and is shown only where it is no text. */
const wrong = (of: string, issue: Issue): WebDriverError => {
  const path = issuePath(issue).join('.')
  if (issue.input === undefined) return invalid(`${of} needs the argument ${path}.`)
  if (issue.type === 'min_length') return invalid(`The argument ${path} of ${of} ${issue.message}.`)
  const value = typeof issue.input === 'string' ? 'another text' : `${shownValue(issue.input)}`
  return invalid(`The argument ${path} of ${of} ${issue.message}, but is ${value}.`)
}

interface ReadOptions {
  /** `mobile: clickGesture`, or the path of an endpoint. */
  readonly of: string
  /** Other arguments are left alone: clients add some of their own. */
  readonly isOpen?: boolean
  /** Arguments of Appium that would change the outcome and are not offered, with what to do instead. */
  readonly refused?: Refusals | undefined
}

export type Refusals = Readonly<Record<string, string>>

const UNSET: readonly unknown[] = [null, undefined, '', false, 'false']

/** Clients send arguments that nobody has set, too: as an empty text or object, or as false. */
const isUnset = (value: unknown): boolean =>
  UNSET.includes(value) || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)

export const refuseArguments = (refused: Refusals, given: Readonly<Record<string, unknown>>, of: string): void => {
  for (const [name, reason] of Object.entries(refused))
    if (Object.hasOwn(given, name) && !isUnset(given[name]))
      throw invalid(`${of} does not take the argument ${name}. ${reason}`)
}

/** An argument that is null counts as left out. Throws `invalid argument`. */
export const readArguments = <const E extends Entries>(
  entries: E,
  args: Readonly<Record<string, unknown>>,
  { of, isOpen = false, refused = {} }: ReadOptions,
): Arguments<E> => {
  refuseArguments(refused, args, of)
  const names = Object.keys(entries)
  const present = Object.entries(args).filter(([, value]) => value !== null && value !== undefined)
  const unknown = present.map(([name]) => name).find(name => !names.includes(name))
  if (unknown !== undefined && !isOpen)
    throw invalid(
      `${of} has no argument ${shownValue(unknown)}.${didYouMean(unknown, names)} It takes ${listed(names)}.`,
    )
  const read = v.safeParse(v.object(entries), Object.fromEntries(present), { abortEarly: true })
  if (read.success) return read.output
  throw wrong(of, read.issues[0])
}

/** The object in a member of a body. */
export const objectIn = (body: Readonly<Record<string, unknown>>, name: string, of: string) => {
  const value = body[name] ?? {}
  if (isObject(value)) return value
  throw invalid(`The argument ${name} of ${of} must be an object, but is ${shownValue(value)}.`)
}
