/** The process that a folder is made for, where it is made for one: what is in it is of use only while that lives. */
import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STATE_FILE_MODE } from '../contracts/limits/limits.ts'
import { mayLive, type ProcessIdentity, thisProcess } from './processes/processes.ts'

const OWNER = 'owner.json'

export const ownFolder = (folder: string): void =>
  writeFileSync(join(folder, OWNER), JSON.stringify(thisProcess()), { mode: STATE_FILE_MODE, flag: 'wx' })

/** Undefined for a folder of another user, and for one that names no process. */
export const ownerOf = (folder: string): ProcessIdentity | undefined => {
  try {
    const facts = lstatSync(folder)
    if (!facts.isDirectory() || facts.uid !== process.getuid?.()) return undefined
    const file = join(folder, OWNER)
    if (!lstatSync(file).isFile()) return undefined
    const { pid, started } = JSON.parse(readFileSync(file, 'utf8'))
    return Number.isSafeInteger(pid) && typeof started === 'string' ? { pid, started } : undefined
  } catch {
    return undefined
  }
}

/** False for a folder of no process, and where that of it cannot be seen from here. */
export const isOwnerGone = (folder: string): boolean => {
  const owner = ownerOf(folder)
  return owner !== undefined && mayLive(owner) === false
}
