/** Takes the rights of other users off what is there; whether its owner may write or run it stays. No link is followed. */
import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

const OTHERS = 0o077
const OPEN = constants.O_RDONLY | constants.O_NOFOLLOW | (constants.O_NONBLOCK ?? 0)

/** Root may change what belongs to anybody, and does so only for itself. */
const isOwn = ({ uid }: Stats): boolean => process.getuid === undefined || uid === process.getuid()

const WRITTEN_BY_OTHERS = 0o022

/** Other users cannot have put it there, or changed it. A link says nothing of what it leads to. */
export const isOnlyOwnersToWrite = (facts: Stats): boolean =>
  !facts.isSymbolicLink() && isOwn(facts) && (process.getuid === undefined || (facts.mode & WRITTEN_BY_OTHERS) === 0)

const isLoose = (facts: Stats | undefined): boolean =>
  facts !== undefined && (facts.isFile() || facts.isDirectory()) && isOwn(facts) && (facts.mode & OTHERS) !== 0

/** A file or a folder of this user that others can read or change. */
export const isLooseAt = (path: string): boolean => isLoose(lstatSync(path, { throwIfNoEntry: false }))

const inside = (path: string): string[] => {
  try {
    const isFolder = lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
    return isFolder ? readdirSync(path).map(name => join(path, name)) : []
  } catch {
    return []
  }
}

export const isLooseTree = (path: string): boolean => isLooseAt(path) || inside(path).some(isLooseTree)

/** A file system without such rights is left as it is. */
export const makeOwnerOnly = (path: string): void => {
  if (!isLooseAt(path)) return
  try {
    const opened = openSync(path, OPEN)
    try {
      const facts = fstatSync(opened)
      if (isLoose(facts)) fchmodSync(opened, facts.mode & 0o7777 & ~OTHERS)
    } finally {
      closeSync(opened)
    }
  } catch {
    return
  }
}

export const makeTreeOwnerOnly = (path: string): void => {
  makeOwnerOnly(path)
  for (const entry of inside(path)) makeTreeOwnerOnly(entry)
}
