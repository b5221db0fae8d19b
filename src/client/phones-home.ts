/** The homes of simulated phones: each names the process that has made it, so that a later one removes what a killed one left. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { STATE_FILE_MODE } from '../contracts/limits.ts'
import { mayLive, type ProcessIdentity, thisProcess } from '../runtime/processes.ts'
import { stopDaemons } from './stop-daemons.ts'

const PREFIX = 'svc-ph-'
const OWNER = 'owner.json'
/** So many are removed at one start; the next start goes on. */
const REMOVED_MAX = 20
/** A daemon that ends still writes. */
const RETRIES = 5

export const makePhonesHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), PREFIX))
  writeFileSync(join(home, OWNER), JSON.stringify(thisProcess()), { mode: STATE_FILE_MODE })
  return home
}

/** Ends the daemons of the home first. */
export const removePhonesHome = async (home: string): Promise<void> => {
  await stopDaemons(home)
  rmSync(home, { recursive: true, force: true, maxRetries: RETRIES })
}

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

const isLeft = (home: string): boolean => {
  const owner = ownerOf(home)
  return owner !== undefined && mayLive(owner) === false
}

/** The homes whose processes have ended, with their daemons. What cannot be removed is left for the next start. */
export const removeLeftHomes = async (): Promise<void> => {
  const homes = readdirSync(tmpdir())
    .filter(name => name.startsWith(PREFIX))
    .map(name => join(tmpdir(), name))
  const left = homes.filter(isLeft).slice(0, REMOVED_MAX)
  await Promise.all(left.map(home => removePhonesHome(home).catch(() => {})))
}
