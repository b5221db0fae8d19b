/** Finds what a dead host had started for a request: its processes carry the request's id in their environment. */
import { commandLineOf, markedPids } from '../runtime/process-list.ts'
import { type ProcessIdentity, startOf } from '../runtime/processes.ts'

export const EMULATOR_REQUEST_ENV = 'SVC_EMULATOR_REQUEST'

/** The oldest first. Where none can be found, only what was recorded is known. */
export const processesOf = (requestId: string): ProcessIdentity[] =>
  markedPids({ name: EMULATOR_REQUEST_ENV, value: requestId }).flatMap(pid => {
    const started = startOf(pid)
    return started === undefined ? [] : [{ pid, started }]
  })

/** True when the command line of the process is that of the AVD's emulator. */
export const isEmulatorOf = (pid: number, avdName: string): boolean => {
  const words = commandLineOf(pid)
  const at = words.indexOf('-avd')
  return words.includes(`@${avdName}`) || (at >= 0 && words[at + 1] === avdName)
}
