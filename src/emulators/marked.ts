/** Finds what a dead host had started for a request: its processes carry the request's id in their environment. */
import { readdirSync, readFileSync } from 'node:fs'
import { type ProcessIdentity, startOf } from '../runtime/processes.ts'

export const EMULATOR_REQUEST_ENV = 'SVC_EMULATOR_REQUEST'

const wordsOf = (path: string): readonly string[] => {
  try {
    return readFileSync(path, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** The oldest first. Where the system has no /proc, none are found: then only what was recorded is known. */
export const processesOf = (requestId: string): ProcessIdentity[] => {
  const mark = `${EMULATOR_REQUEST_ENV}=${requestId}`
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  return names
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .sort((one, other) => one - other)
    .flatMap(pid => {
      if (pid === process.pid || !wordsOf(`/proc/${pid}/environ`).includes(mark)) return []
      // An adb server that a tool has started serves everybody.
      if (wordsOf(`/proc/${pid}/cmdline`).includes('fork-server')) return []
      const started = startOf(pid)
      return started === undefined ? [] : [{ pid, started }]
    })
}

/** Whether a process is the emulator of an AVD, by its command line. */
export const isEmulatorOf = (pid: number, avdName: string): boolean => {
  const words = wordsOf(`/proc/${pid}/cmdline`)
  const at = words.indexOf('-avd')
  return words.includes(`@${avdName}`) || (at >= 0 && words[at + 1] === avdName)
}
