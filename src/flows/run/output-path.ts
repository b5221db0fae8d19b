/** Where files go that a flow names: below one folder, whatever the flow writes. */
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { failed } from './failure.ts'

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Throws CommandFailed for a path that leads out of the folder. */
export const outputPath = (folder: string, named: string, extension: string): string => {
  const path = resolve(folder, named.endsWith(extension) ? named : `${named}${extension}`)
  if (named.includes('\0') || !isBelow(folder, path))
    throw failed('FILE_REFUSED', `The path ${JSON.stringify(named)} leads out of ${folder}, where files of flows go.`)
  return path
}

/** Signs that end a path in reports, or that other systems do not take. */
const UNUSUAL = /[[\]|<>:"\\?*]|\p{Cc}/gu

/** The name of a file that the run keeps of a command. */
export const keptFile = (folder: string, index: number, name: string): string =>
  join(folder, `${String(index + 1).padStart(3, '0')}-${name.replace(UNUSUAL, '_')}`)
