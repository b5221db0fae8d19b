/** The process group of a child: one signal reaches everything it started and did not send away. */

export interface ProcessGroup {
  /** The child itself has ended and was waited for; others of the group may live on. */
  leaderEnded(): void
  signal(name: NodeJS.Signals): void
}

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** False when nothing is there, or nothing that we may signal. */
export const reached = (target: number, name: NodeJS.Signals): boolean => {
  try {
    process.kill(target, name)
    return true
  } catch {
    return false
  }
}

export const processGroup = (leader: number): ProcessGroup => {
  let isLeaderGone = false
  return {
    leaderEnded: () => {
      isLeaderGone = true
    },
    signal(name) {
      // The system gives a number away again only when no process and no group bears it: then the group is empty.
      if (isLeaderGone && exists(leader)) return
      // A child that was forked a moment ago may not have made its group yet.
      if (!reached(-leader, name) && !isLeaderGone) reached(leader, name)
    },
  }
}
