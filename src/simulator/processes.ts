/** The processes of a simulated phone that run on beside its apps: `ps`, `pidof` and /proc show them, `kill` reaches them. */
import type { PhoneFiles } from './phone-parts.ts'

export interface PhoneProcess {
  pid: number
  /** The command line. */
  words: readonly string[]
}

export interface StartedProcess extends PhoneProcess {
  onSignal(signal: string): void
}

export interface PhoneProcesses {
  /** Aborted when the phone is closed: nothing runs on then. */
  readonly closed: AbortSignal
  /** A number that no other process has. */
  nextPid(): number
  /** Returns its end. */
  start(process: StartedProcess): () => void
  list(): readonly PhoneProcess[]
  /** False when there is no such process. */
  signal(pid: number, signal: string): boolean
}

const FIRST_PID = 20_000

export const createProcesses = (files: PhoneFiles): PhoneProcesses & { close(): void } => {
  const running = new Map<number, StartedProcess>()
  const closing = new AbortController()
  let last = FIRST_PID
  return {
    closed: closing.signal,
    nextPid() {
      last += 1
      return last
    },
    start(process) {
      const { pid, words } = process
      const folder = `/proc/${pid}`
      running.set(pid, process)
      files.write(`${folder}/cmdline`, Buffer.from(words.map(word => `${word}\0`).join('')), 0o444)
      return () => {
        running.delete(pid)
        files.remove(`${folder}/cmdline`)
        files.remove(folder)
      }
    },
    list: () => [...running.values()],
    signal(pid, signal) {
      const process = running.get(pid)
      process?.onSignal(signal)
      return process !== undefined
    },
    close: () => closing.abort(),
  }
}
