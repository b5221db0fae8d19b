/** Finds the other processes of this user that have a file open, in /proc. */
import { readdirSync, readlinkSync } from 'node:fs'

const entriesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const targetOf = (link: string): string => {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

/** The name that /proc gives to a file that was removed and is still open. */
export const removedName = (path: string): string => `${path} (deleted)`

/** `names` as /proc gives them. Where the system does not tell (no /proc), nobody is found. */
export const processesWithOpen = (names: ReadonlySet<string>): number[] =>
  entriesOf('/proc')
    .filter(pid => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .filter(pid => entriesOf(`/proc/${pid}/fd`).some(fd => names.has(targetOf(`/proc/${pid}/fd/${fd}`))))
    .map(Number)
