/** Finds out if there can be any device, before the debug bridge's driver is loaded, which takes long. */
import { connect } from 'node:net'
import { type ServerAddress, serverAddress } from '../../contracts/device/addresses.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Environment } from '../../runtime/home.ts'
import { findAdb } from './adb-program.ts'

/** A local server answers at once; a slow one is left to the driver. */
const CONNECT_MS = 500

/** True unless it is certain that nothing listens. */
const mayListen = (address: ServerAddress, clock: Clock): Promise<boolean> =>
  new Promise(resolve => {
    if ('unusable' in address) return resolve(true)
    const socket = connect(address)
    const end = (answer: boolean) => {
      timer.cancel()
      socket.destroy()
      resolve(answer)
    }
    const timer = clock.at(clock.now() + CONNECT_MS, () => end(true))
    socket.once('connect', () => end(true))
    socket.once('error', (error: NodeJS.ErrnoException) => end(!['ECONNREFUSED', 'ENOENT'].includes(error.code ?? '')))
  })

/** No device of our own, no adb that could be started, and no server that was. */
export const isBridgeAbsent = async ({ env, clock }: { env: Environment; clock: Clock }): Promise<boolean> => {
  if (env.SVC_TCP_DEVICES?.trim() || findAdb(env) !== undefined) return false
  return !(await mayListen(serverAddress(env), clock))
}
