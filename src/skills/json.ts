/** JSON files of a skill package: parsed quickly when they are right, with line and column when they are not. */
import { isObject, type JsonObject } from '../contracts/json.ts'
import { parseJsonText } from '../executions/parse-json.ts'
import { readText } from './read-text.ts'

export type JsonRead =
  | { ok: true; value: unknown }
  | { ok: false; kind: 'missing' | 'unreadable' | 'invalid'; problem: string }

const explained = (text: string, what: string): JsonRead => {
  const parsed = parseJsonText(text, { what })
  if (parsed.ok) return parsed
  const place = parsed.error.message.slice(what.length + 2)
  return { ok: false, kind: 'invalid', problem: `is wrong in ${place}` }
}

const parsedOrExplained = (text: string, what: string): JsonRead => {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return explained(text, what)
  }
}

/** Reads JSON of any depth, for files whose content is accessed by name and never walked. */
export const readJson = (path: string, bytesMax: number): JsonRead => {
  const read = readText(path, bytesMax)
  return read.ok ? parsedOrExplained(read.text, path) : read
}

/** Reads JSON of bounded depth, for files whose content is walked. */
export const readShallowJson = (path: string, bytesMax: number): JsonRead => {
  const read = readText(path, bytesMax)
  return read.ok ? explained(read.text, path) : read
}

/** Nobody means what is nested deeper, and comparing it must not exhaust the stack. */
const DEPTH_MAX = 64

const sameKeys = (a: JsonObject, b: JsonObject): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every(key => Object.hasOwn(b, key))

/** The same JSON value; the order of keys says nothing. */
export const sameJson = (a: unknown, b: unknown, depth = 0): boolean => {
  if (a === b) return true
  if (depth > DEPTH_MAX) return false
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index], depth + 1))
  }
  if (!isObject(a) || !isObject(b)) return false
  return sameKeys(a, b) && Object.keys(a).every(key => sameJson(a[key], b[key], depth + 1))
}
