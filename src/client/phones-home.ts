/** The homes of simulated phones: each names the process that has made it, so that a later one removes what a killed one left. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isHomeLeft, ownHome } from '../runtime/home-owner.ts'
import { stopDaemons } from './stop-daemons.ts'

const PREFIX = 'svc-ph-'
/** So many are removed at one start; the next start goes on. */
const REMOVED_MAX = 20
/** A daemon that ends still writes. */
const RETRIES = 5

export const makePhonesHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), PREFIX))
  ownHome(home)
  return home
}

/** Ends the daemons of the home first. */
export const removePhonesHome = async (home: string): Promise<void> => {
  await stopDaemons(home)
  rmSync(home, { recursive: true, force: true, maxRetries: RETRIES })
}

/** The homes whose processes have ended, with their daemons. What cannot be removed is left for the next start. */
export const removeLeftHomes = async (): Promise<void> => {
  const homes = readdirSync(tmpdir())
    .filter(name => name.startsWith(PREFIX))
    .map(name => join(tmpdir(), name))
  const left = homes.filter(isHomeLeft).slice(0, REMOVED_MAX)
  await Promise.all(left.map(home => removePhonesHome(home).catch(() => {})))
}
