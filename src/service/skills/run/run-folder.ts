/** The private folder of one run, gone with the run: under a path that a shell takes as one word, quoted or not. */
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { HOME_MODE } from '../../../contracts/limits/limits.ts'
import { makeFolder } from '../../../runtime/files/make-folder.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { type ProcessIdentity, placeOf } from '../../../runtime/processes/processes.ts'

export interface RunFolder {
  /** Absolute. */
  path: string
  /** Safe to call twice. */
  remove(): void
}

export interface NewRunFolder {
  /** The first in which programs can be started is taken. */
  places: readonly string[]
  runId: string
  owner: ProcessIdentity
  /** The executable files in it, by name. */
  programs: Readonly<Record<string, string>>
}

/** The owner is in the name, so that a later process can tell a folder that was left from one that is in use. */
const NAME = /^svc-run-(\d+)-([0-9a-f]{12})-[\w.-]+$/
const ONE_WORD = /^\/[\w./@%+,-]+$/

const hexOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6)
/** Half of it tells the place and half of it the start. */
const digestOf = (started: string): string => `${hexOf(placeOf(started))}${hexOf(started)}`

const nameFor = ({ runId, owner }: NewRunFolder): string => `svc-run-${owner.pid}-${digestOf(owner.started)}-${runId}`

/** True for a path in the folder of a run: another run must not use it. */
export const isInRunFolder = (path: string): boolean => NAME.test(path.split('/').at(-2) ?? '')

/** Below the home; if its path has blanks or more than a shell takes as it is, among the temporary files. */
export const runFolderPlaces = (home: string, temporary: string | undefined): string[] =>
  [...new Set([join(home, 'runs'), temporary ?? '', '/tmp', '/var/tmp'])].filter(path => ONE_WORD.test(path))

/** Nearly always a folder of files alone: to remove any folder at all, Node loads more than a run has to do. */
const removeFilesIn = (path: string): boolean => {
  try {
    for (const name of readdirSync(path)) unlinkSync(join(path, name))
    rmdirSync(path)
    return true
  } catch {
    return false
  }
}

const removeFolder = (path: string): void => {
  if (removeFilesIn(path)) return
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Left for a later start: a disk that takes nothing away fails no run.
  }
}

const makeIn = (place: string, folder: NewRunFolder): RunFolder => {
  makeFolder(place, HOME_MODE)
  const path = join(place, nameFor(folder))
  mkdirSync(path, { mode: HOME_MODE })
  try {
    for (const [name, text] of Object.entries(folder.programs)) {
      const file = join(path, name)
      writeFileSync(file, text, { mode: HOME_MODE, flag: 'wx' })
      // Refused as well where the file system starts no programs.
      accessSync(file, constants.X_OK)
    }
  } catch (error) {
    removeFolder(path)
    throw error
  }
  return { path, remove: () => removeFolder(path) }
}

/** Throws what each place said when none takes it. */
export const makeRunFolder = (folder: NewRunFolder): RunFolder => {
  const problems: string[] = []
  for (const place of folder.places) {
    try {
      return makeIn(place, folder)
    } catch (error) {
      problems.push(messageOf(error))
    }
  }
  throw new Error(`the program that SVC_BIN names cannot be written to any folder: ${problems.join('; ')}`)
}

const isOfThisUser = (path: string): boolean => {
  try {
    const seen = lstatSync(path)
    return seen.isDirectory() && seen.uid === process.geteuid?.()
  } catch {
    return false
  }
}

const namesIn = (place: string): string[] => {
  try {
    return readdirSync(place)
  } catch {
    return []
  }
}

/** No run takes so long: what a process of another container has left is removed by its age. */
const FOREIGN_MS = 24 * 60 * 60 * 1_000

const isOld = (path: string, now: number): boolean => {
  const seen = lstatSync(path, { throwIfNoEntry: false })
  return seen !== undefined && Math.abs(now - seen.mtimeMs) > FOREIGN_MS
}

/** Removes the folders of processes that are gone. */
export const removeLeftRunFolders = (
  places: readonly string[],
  startOf: (pid: number) => string | undefined,
  now: number,
): void => {
  const here = hexOf(placeOf(startOf(process.pid) ?? ''))
  for (const place of places) {
    for (const name of namesIn(place)) {
      const [, pid, digest] = NAME.exec(name) ?? []
      if (pid === undefined) continue
      const started = startOf(Number(pid))
      const path = join(place, name)
      if (started !== undefined && digestOf(started) === digest) continue
      const isLeft = digest?.startsWith(here) || isOld(path, now)
      if (isLeft && isOfThisUser(path)) removeFolder(path)
    }
  }
}
