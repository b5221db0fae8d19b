/** Reads text and JSON files of a skill package: quickly when they are right, with line and column when they are not. */
import { isAscii, isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { isObject, type JsonObject } from '../../contracts/json/json.ts'
import { systemProblem } from '../../runtime/system-problem.ts'
import { parseJsonText } from '../executions/parse-json.ts'

type TextRead =
  | { ok: true; text: string }
  /** `invalid`: it can be read, and is not what belongs there. */
  | { ok: false; kind: 'missing' | 'unreadable' | 'invalid'; problem: string }

const ABSENT = ['ENOENT', 'ENOTDIR']

/** Windows has no such flag; elsewhere the opening of a pipe without a writer would wait for ever. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Reads the whole file; `readFileSync` would ask for its size again. Some file systems report a size of 0 for any file. */
const readAll = (file: number, size: number): Buffer => {
  if (size === 0) return readFileSync(file)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  while (at < size) {
    const count = readSync(file, bytes, at, size - at, null)
    if (count === 0) break
    at += count
  }
  return bytes.subarray(0, at)
}

const readOpen = (file: number, bytesMax: number): TextRead => {
  const facts = fstatSync(file)
  if (!facts.isFile()) {
    return { ok: false, kind: 'unreadable', problem: facts.isDirectory() ? 'is a directory' : 'is not a regular file' }
  }
  if (facts.size > bytesMax) return { ok: false, kind: 'invalid', problem: `is longer than ${bytesMax} bytes` }
  const bytes = readAll(file, facts.size)
  // A registry of 10,000 skills is decoded as fast as it is copied, if it is ASCII.
  if (isAscii(bytes)) return { ok: true, text: bytes.toString('latin1') }
  // Invalid bytes must not turn into question marks that are then compared, or sent to a device.
  return isUtf8(bytes)
    ? { ok: true, text: bytes.toString('utf8') }
    : { ok: false, kind: 'invalid', problem: 'is not UTF-8 text' }
}

export const readText = (path: string, bytesMax: number): TextRead => {
  let file: number | undefined
  try {
    file = openSync(path, READ_AT_ONCE)
    return readOpen(file, bytesMax)
  } catch (error) {
    const { code, said: reason } = systemProblem(error)
    return { ok: false, kind: ABSENT.includes(code) ? 'missing' : 'unreadable', problem: reason }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

type JsonRead =
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
