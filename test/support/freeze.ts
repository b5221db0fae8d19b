/** Stops a process, and returns once it stands still: a signal takes a moment to arrive. */
import type { ChildProcess } from 'node:child_process'
import { procStatus } from '../../src/runtime/processes/processes.ts'

const LONGEST_MS = 2_000

export const freeze = (child: ChildProcess): void => {
  const { pid } = child
  child.kill('SIGSTOP')
  const until = performance.now() + LONGEST_MS
  while (pid !== undefined && performance.now() < until) {
    const status = procStatus(pid)
    if (!status || status.state.startsWith('T')) return
  }
}
