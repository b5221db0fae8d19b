/** Which other processes have a journal open: a new one must not be put in its place under their hands. */
import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { processesWithOpen, removedName } from '../../runtime/open-files.ts'

const realOf = (path: string): string | undefined => {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

/** Where the files are, behind links. Not where a link to a device leads: many have that open. */
const placesOf = (path: string): string[] => {
  const folder = realOf(dirname(path))
  const real = realOf(path)
  const file = real !== undefined && statSync(real).isFile() ? [real] : []
  const places = folder === undefined ? file : [join(folder, basename(path)), ...file]
  return places.flatMap(place => [place, `${place}-wal`, `${place}-shm`])
}

/** A file that was taken away from under its process counts as well. */
export const processesUsing = (path: string): number[] =>
  processesWithOpen(new Set(placesOf(path).flatMap(place => [place, removedName(place)])))
