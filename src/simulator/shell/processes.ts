/** The command lines that run on a phone, by the pid of their shell: what it starts is in its process group. */

const FIRST_PID = 4_711

export interface ShellProcess {
  pid: number
  /** Aborted when it is killed. */
  killed: AbortSignal
  end(): void
}

export const createProcesses = () => {
  const running = new Map<number, AbortController>()
  let last = FIRST_PID - 1
  return {
    start(): ShellProcess {
      const killing = new AbortController()
      last += 1
      const pid = last
      running.set(pid, killing)
      return { pid, killed: killing.signal, end: () => void running.delete(pid) }
    },
    /** False when no command line has this pid. */
    kill(pid: number): boolean {
      const found = running.get(pid)
      found?.abort()
      return found !== undefined
    },
  }
}

export type Processes = ReturnType<typeof createProcesses>
