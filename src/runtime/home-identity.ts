/** Reads or mints the id of a home: it is minted once in the folder, together with the folder itself. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HOME_MODE, STATE_FILE_MODE } from '../contracts/limits/limits.ts'
import { makeFolder } from './files/make-folder.ts'

const FILE = 'home-id'
const MINTED = /^[0-9a-f-]{36}\n$/

/** The file appears with all of its text at once; of two processes, one mints. */
const mint = (path: string): void => {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, `${randomUUID()}\n`, { mode: STATE_FILE_MODE, flag: 'wx' })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}

/** Nobody who cannot read the home knows it. Undefined where it cannot be read or written. */
const mintedIn = (home: string): string | undefined => {
  const path = join(home, FILE)
  makeFolder(home, HOME_MODE)
  if (statSync(path, { throwIfNoEntry: false }) === undefined) mint(path)
  const minted = readFileSync(path, 'utf8')
  return MINTED.test(minted) ? minted : undefined
}

/** A key of this home for one purpose; a random one where the home has none. */
export const homeKey = (home: string, purpose: string): Buffer => {
  try {
    const minted = mintedIn(home)
    if (minted !== undefined) return createHash('sha256').update(`${purpose}:${minted}`).digest()
  } catch {
    // The key then holds for this process only.
  }
  return randomBytes(32)
}

/** A copy of a folder has its id and is another folder. Undefined where the id cannot be read or written. */
export const homeIdentity = (home: string): string | undefined => {
  try {
    const minted = mintedIn(home)
    const { dev, ino } = statSync(home, { bigint: true })
    return minted === undefined ? undefined : createHash('sha256').update(`${minted}${dev}:${ino}`).digest('hex')
  } catch {
    return undefined
  }
}
