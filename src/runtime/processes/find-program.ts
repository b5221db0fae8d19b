/** Finds a program as a shell would, but for relative folders: they would mean another program in every directory. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

export const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** In the first folder of the path that has one of the names. */
export const findProgram = (names: readonly string[], path: string | undefined): string | undefined =>
  (path ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap(folder => names.map(name => join(folder, name)))
    .find(isProgram)
