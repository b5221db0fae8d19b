/** Finds out if there can be any device, before the debug bridge's driver is loaded, which takes long. */
import { connect } from 'node:net'
import { type ServerAddress, serverAddress } from '../../../contracts/device/addresses.ts'
import { findAdb } from '../../../device/link/adb-program.ts'
import type { CommandContext } from '../command.ts'

/** A local server answers at once; a slow one is left to the driver. */
const CONNECT_MS = 500

/** True unless it is certain that nothing listens. */
const mayListen = (address: ServerAddress, { clock }: Pick<CommandContext, 'clock'>): Promise<boolean> =>
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
export const isBridgeAbsent = async ({ env, clock }: Pick<CommandContext, 'env' | 'clock'>): Promise<boolean> => {
  if (env.SVC_TCP_DEVICES?.trim() || findAdb(env) !== undefined) return false
  return !(await mayListen(serverAddress(env), { clock }))
}
