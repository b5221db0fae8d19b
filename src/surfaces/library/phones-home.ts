/** The homes of simulated phones, which end with their daemons. */

import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { sharedChildEnv } from '../../runtime/processes/child-env.ts'
import { leftFolders, makeTemporaryFolder } from '../../runtime/temporary-folders.ts'
import { runningDaemons } from '../daemon/identity.ts'
import { daemonPaths } from '../daemon/paths.ts'
import { packagedProgram, processEnvironment } from './environment.ts'

const STOP_MS = 30_000

const stop = (home: string, device: string): Promise<void> =>
  new Promise(resolve => {
    const args = [packagedProgram(), 'daemon', 'stop', ...(device === '' ? [] : ['--device', device])]
    const options = {
      env: { ...sharedChildEnv(processEnvironment()), SVC_HOME: home },
      timeout: STOP_MS,
      killSignal: 'SIGKILL',
    } as const
    // A daemon that does not end now has an idle time.
    execFile(process.execPath, args, options, () => resolve())
  })

const stopDaemons = async (home: string): Promise<void> => {
  const { directory } = daemonPaths(home, undefined)
  await Promise.all(runningDaemons(directory).map(({ rawDeviceId }) => stop(home, rawDeviceId)))
}

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
