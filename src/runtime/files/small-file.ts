/** Small state files: read only when they are plain files of a sane size, written whole or not at all. */
import { lstatSync, readFileSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs'
import { isObject, type JsonObject } from '../../contracts/json/json.ts'
import { STATE_FILE_MODE } from '../../contracts/limits/limits.ts'

/** Far over what any of these files holds. */
const BYTES_MAX = 64 * 1_024

export const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Undefined for what is not there or cannot be read. A FIFO in its place must not be opened: that would never end. */
export const readSmall = (path: string): string | undefined => {
  const found = statOf(path)
  if (!found?.isFile() || found.size > BYTES_MAX) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Undefined for what is not a plain object. */
export const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined)

/** Undefined for what is not a JSON object. */
export const parseObject = (text: string | undefined): JsonObject | undefined => {
  try {
    return asObject(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}

/** Throws what the file system says. */
export const writeAtomically = (path: string, text: string): void => {
  const fresh = `${path}.${process.pid}`
  try {
    writeFileSync(fresh, text, { mode: STATE_FILE_MODE })
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}
