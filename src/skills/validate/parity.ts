/** Section Skills, parity: where skill.json and the registry entry say different things. `agent` is nobody's but skill.json's. */
import { posix } from 'node:path'
import type { JsonObject } from '../../contracts/json.ts'
import type { RegistryEntry } from '../../contracts/registry.ts'
import { sameJson } from '../json.ts'

type Same = (registry: unknown, skillJson: unknown) => boolean

const normalised = (path: unknown): unknown =>
  typeof path === 'string' ? posix.normalize(path).replace(/(?<=.)\/+$/, '') : path

const samePath: Same = (a, b) => a === b || normalised(a) === normalised(b)

const samePaths: Same = (a, b) =>
  Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((path, index) => samePath(path, b[index]))

const sameText: Same = (a, b) => a === b

/** Guards the sort: skill.json is not validated yet, and sorting values that are not texts would walk into them. */
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(item => typeof item === 'string')

/** None and an empty list are one. */
const sameWords: Same = (a = [], b = []) => isTexts(a) && isTexts(b) && sameJson([...a].sort(), [...b].sort())

const FIELDS: readonly (readonly [string, Same])[] = [
  ['id', sameText],
  ['applicationId', sameText],
  ['intent', sameText],
  ['summary', sameText],
  ['keywords', sameWords],
  ['path', samePath],
  ['skillFile', samePath],
  ['scripts', samePaths],
  ['artifacts', samePaths],
  ['contract', sameJson],
]

export const mismatchFields = (entry: RegistryEntry, skillJson: JsonObject): string[] =>
  FIELDS.filter(([field, isSame]) => !isSame((entry as JsonObject)[field], skillJson[field])).map(([field]) => field)
