/** Which other processes have a journal open: a new one must not be put in its place under their hands. */
import { readdirSync, readlinkSync, realpathSync } from 'node:fs'

const entriesOf = (folder: string): string[] | undefined => {
  try {
    return readdirSync(folder)
  } catch {
    return undefined
  }
}

const targetOf = (link: string): string | undefined => {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}

const hasOpen = (pid: string, path: string): boolean =>
  (entriesOf(`/proc/${pid}/fd`) ?? []).some(fd => targetOf(`/proc/${pid}/fd/${fd}`) === path)

/** Undefined where the system does not tell. */
export const processesUsing = (path: string): number[] | undefined => {
  const processes = entriesOf('/proc')?.filter(name => /^\d+$/.test(name))
  if (!processes || processes.length === 0) return undefined
  const real = realpathSync(path)
  return processes.map(Number).filter(pid => pid !== process.pid && hasOpen(String(pid), real))
}
