/** Numbers the processes of the apps of a simulated phone: an app that was ended gets another pid. */
export const FIRST_APP_PID = 3_000
const PIDS_PER_LIFE = 1_000

export const createAppProcesses = (names: readonly string[]) => {
  const order = [...names].sort()
  const lives = new Map<string, number>()
  const reported = new Set<string>()
  return {
    pidOf: (packageName: string): number =>
      FIRST_APP_PID + order.indexOf(packageName) + (lives.get(packageName) ?? 0) * PIDS_PER_LIFE,
    end(packageName: string): void {
      lives.set(packageName, (lives.get(packageName) ?? 0) + 1)
      reported.delete(packageName)
    },
    /** True once the log has said that this life of it was started. */
    isTold: (packageName: string): boolean => reported.has(packageName),
    tell: (packageName: string): void => void reported.add(packageName),
  }
}

export type AppProcesses = ReturnType<typeof createAppProcesses>
