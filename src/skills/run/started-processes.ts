/** All that a run started: the process group of its child, and what left that group for a session of its own. */
import { SKILL_RUN_ENV } from '../../contracts/ids.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { markedFinder } from '../../runtime/process-list.ts'
import type { Child } from './child.ts'
import { reached } from './process-group.ts'
import type { ChildWorld } from './request.ts'

export interface StartedOptions {
  runId: string
  child: Pick<Child, 'pid' | 'signal'>
  /** When the child was started, as `startOf` says it; empty when the system does not say. */
  started: string
  clock: Clock
  world: Pick<ChildWorld, 'startOf' | 'findMarked'>
}

export interface StartedProcesses {
  /** Asks all of them to end, or kills them. */
  end(name: NodeJS.Signals): void
  /** They were told to end, so none of them is to stay. */
  isEnding(): boolean
  /** Resolves when nothing is left outside of the group, or when the signal aborts. */
  escapedGone(signal: AbortSignal): Promise<void>
  /** The pids of those that are still there. */
  left(): number[]
}

/** Between two looks at what is left. */
const LOOK_MS = 50

export const startedProcesses = ({ runId, child, started, clock, world }: StartedOptions): StartedProcesses => {
  // A child that has ended before it was looked at is younger than this process at least.
  const since = started || (world.startOf(process.pid) ?? '')
  const marked = world.findMarked ?? markedFinder({ name: SKILL_RUN_ENV, value: runId }, since)
  const asked = new Set<number>()
  let last: NodeJS.Signals | undefined

  /** Each is asked once; what is to be killed is killed whenever it is seen. Returns how many there are. */
  const endEscaped = (): number => {
    const escaped = marked().filter(({ group }) => group !== child.pid)
    for (const { pid } of escaped) {
      if (last === 'SIGKILL') reached(pid, 'SIGKILL')
      else if (!asked.has(pid)) reached(pid, 'SIGTERM')
      asked.add(pid)
    }
    return escaped.length
  }

  return {
    end(name) {
      last = name
      child.signal(name)
      endEscaped()
    },
    isEnding: () => last !== undefined,
    async escapedGone(signal) {
      while (!signal.aborted && endEscaped() > 0) await pause(clock, LOOK_MS, signal)
    },
    left: () => {
      const isChildThere = started !== '' && world.startOf(child.pid) === started
      const others = marked().flatMap(({ pid }) => (pid === child.pid ? [] : [pid]))
      return isChildThere ? [child.pid, ...others] : others
    },
  }
}
