/** Ends the daemons of a home that was made for simulated phones. */
import { execFile } from 'node:child_process'
import { sharedChildEnv } from '../../runtime/processes/child-env.ts'
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

export const stopDaemons = async (home: string): Promise<void> => {
  const { directory } = daemonPaths(home, undefined)
  await Promise.all(runningDaemons(directory).map(({ rawDeviceId }) => stop(home, rawDeviceId)))
}
