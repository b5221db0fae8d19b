/** Reads a text file that somebody else wrote: a regular one, of bounded size, in UTF-8. */
import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { systemProblem } from '../runtime/system-problem.ts'

export type TextRead =
  | { ok: true; text: string }
  /** `invalid`: it can be read, and is not what belongs there. */
  | { ok: false; kind: 'missing' | 'unreadable' | 'invalid'; problem: string }

const ABSENT = ['ENOENT', 'ENOTDIR']

/** Windows has no such flag; elsewhere the opening of a pipe without a writer would wait for ever. */
const READ_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const readOpen = (file: number, bytesMax: number): TextRead => {
  const facts = fstatSync(file)
  if (!facts.isFile()) {
    return { ok: false, kind: 'unreadable', problem: facts.isDirectory() ? 'is a directory' : 'is not a regular file' }
  }
  if (facts.size > bytesMax) return { ok: false, kind: 'invalid', problem: `is longer than ${bytesMax} bytes` }
  const bytes = readFileSync(file)
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
    const { code, said } = systemProblem(error)
    return { ok: false, kind: ABSENT.includes(code) ? 'missing' : 'unreadable', problem: said }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
