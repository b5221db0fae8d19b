/** Signals one process. To the system 0 and what is below it are groups, and 0 is that of the tests themselves. */
export const killProcess = (pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void => {
  if (pid === undefined || !Number.isSafeInteger(pid) || pid <= 1) throw new Error(`${pid} is no process to signal`)
  process.kill(pid, signal)
}
