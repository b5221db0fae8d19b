/** The process that a home is made for, where it is made for one: its daemons are of use only while that lives. */
import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STATE_FILE_MODE } from '../contracts/limits.ts'
import { mayLive, type ProcessIdentity, thisProcess } from './processes.ts'

const OWNER = 'owner.json'

export const ownHome = (home: string): void =>
  writeFileSync(join(home, OWNER), JSON.stringify(thisProcess()), { mode: STATE_FILE_MODE })

/** Undefined for a folder of another user, and for one that names no process. */
const ownerOf = (home: string): ProcessIdentity | undefined => {
  try {
    const folder = lstatSync(home)
    if (!folder.isDirectory() || folder.uid !== process.getuid?.()) return undefined
    const { pid, started } = JSON.parse(readFileSync(join(home, OWNER), 'utf8'))
    return Number.isSafeInteger(pid) && typeof started === 'string' ? { pid, started } : undefined
  } catch {
    return undefined
  }
}

/** False for a home of no process, and where that of it cannot be seen from here. */
export const isHomeLeft = (home: string): boolean => {
  const owner = ownerOf(home)
  return owner !== undefined && mayLive(owner) === false
}
