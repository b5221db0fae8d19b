/** How much room a device has for what is sent to it. */

import { commandLine } from '../runtime/text/quote.ts'
import type { DeviceShell } from './operators/shell/device-shell.ts'

const KILOBYTE = 1_024
/** Size, used, available, a share, and where it is mounted; a long name of the filesystem has a line of its own. */
const ROW = /\s(\d+)\s+(\d+)\s+(\d+)\s+\d+%\s+\//

/** In bytes, of the filesystem that holds the path; undefined where the device does not say. */
export const freeSpace = async (shell: DeviceShell, path: string): Promise<number | undefined> => {
  const { stdout } = await shell.ask(commandLine('df', '-k', path))
  const available = ROW.exec(stdout)?.[3]
  return available === undefined ? undefined : Number(available) * KILOBYTE
}
