/**
 * Words for the problems of a request: where one is, for people (`actions[2] ("open-it", click)`) and for programs
 * (`details`), and which names it does not have, with the nearest that it has.
 */

import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { type FailureCode, failure } from '../../../contracts/failures/failures.ts'
import { isObject, type JsonObject } from '../../../contracts/json/json.ts'
import { ID_CHARS_MAX } from '../../../contracts/limits/limits.ts'
import { nearest } from '../../../runtime/text/nearest-word.ts'
import { quoted } from './show.ts'

export interface NamedParts {
  code: FailureCode
  /** The subject of the message, with its verb: `The body of this request has`. */
  subject: string
  noun: 'field' | 'parameter' | 'argument'
}

const NAME_CHARS_MAX = 60

/** Undefined where all are known. */
export const unknownNameProblem = (
  { code, subject, noun }: NamedParts,
  names: readonly string[],
  known: readonly string[],
): ErrorObject | undefined => {
  const unknown = names.filter(name => !known.includes(name)).map(name => name.slice(0, NAME_CHARS_MAX))
  const [name] = unknown
  if (name === undefined) return undefined
  const suggestion = nearest(name, known)
  const guess = suggestion === undefined ? '.' : `; did you mean ${quoted(suggestion)}?`
  return failure(code, `${subject} no ${noun} ${quoted(name)}${guess}`, {
    details: { [noun]: name, path: '', invalidKeys: unknown, allowed: [...known] },
    hint: known.length === 0 ? `Leave it out: this request takes no ${noun}.` : `It takes: ${known.join(', ')}.`,
  })
}

/** Stands for the execution itself, whose path has no parts. */
export const ROOT_PATH = 'execution'

const cut = (text: string) => text.slice(0, ID_CHARS_MAX)

const actionAt = (payload: unknown, path: readonly string[]): JsonObject | undefined => {
  const list = isObject(payload) ? payload.actions : undefined
  const action: unknown = path[0] === 'actions' && Array.isArray(list) ? list[Number(path[1])] : undefined
  return isObject(action) ? action : undefined
}

/** Keys of callers can be in a path too, where nothing but depth was looked at. */
const part = (key: string) => (/^\w{1,40}$/.test(key) ? key : quoted(key))

const dotted = (path: readonly string[]): string => (path.length === 0 ? ROOT_PATH : path.map(part).join('.'))

export interface Whereabouts {
  path: string
  actionId?: string
  actionType?: string
}

export const whereabouts = (payload: unknown, path: readonly string[]): Whereabouts => {
  const action = actionAt(payload, path)
  return {
    path: dotted(path),
    ...(typeof action?.id === 'string' ? { actionId: cut(action.id) } : {}),
    ...(typeof action?.type === 'string' ? { actionType: cut(action.type) } : {}),
  }
}

/** Joins place and sentence; a sentence that begins with a colon stands on its own. */
export const located = (payload: unknown, path: readonly string[], sentence: string): string => {
  const ending = sentence.startsWith(':') ? sentence : ` ${sentence}`
  if (path[0] !== 'actions' || path[1] === undefined) return `${dotted(path)}${ending}`
  const { actionId, actionType } = whereabouts(payload, path)
  const labels = [
    ...(actionId === undefined ? [] : [quoted(actionId)]),
    ...(actionType === undefined ? [] : [part(actionType)]),
  ]
  const action = `actions[${path[1]}]${labels.length === 0 ? '' : ` (${labels.join(', ')})`}`
  return path.length === 2 ? `${action}${ending}` : `${action}: ${dotted(path.slice(2))}${ending}`
}
