/** The homes of simulated phones, which end with their daemons. */
import { rmSync } from 'node:fs'
import { leftFolders, makeTemporaryFolder } from '../../runtime/temporary-folders.ts'
import { stopDaemons } from './stop-daemons.ts'

/** A daemon that ends still writes. */
const RETRIES = 5

export const makePhonesHome = (): string => makeTemporaryFolder('phones')

/** Ends the daemons of the home first. */
export const removePhonesHome = async (home: string): Promise<void> => {
  await stopDaemons(home)
  rmSync(home, { recursive: true, force: true, maxRetries: RETRIES })
}

/** The homes whose processes have ended, with their daemons. What cannot be removed is left for the next start. */
export const removeLeftHomes = async (): Promise<void> => {
  await Promise.all(leftFolders('phones').map(home => removePhonesHome(home).catch(() => {})))
}
