/** Ends all that a run started: the process group of its child, what left that group, and what a dead host left behind. */
import { SKILL_RUN_ENV } from '../../../contracts/records/ids.ts'
import type { StoredEvent } from '../../../contracts/records/journal.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { isAlive } from '../../../runtime/processes/processes.ts'
import type { LeftProcessEnders } from '../../../runtime/registry.ts'
import { type ChildSystem, childSystem, type IsAlive } from './child-system.ts'
import type { Child } from './start-child.ts'

type Kills = Pick<ChildSystem, 'kill'>

const exists = (pid: number, { kill }: Kills): boolean => {
  try {
    kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** False when nothing is there, or nothing that we may signal. */
const reached = (target: number, name: NodeJS.Signals, { kill }: Kills): boolean => {
  try {
    kill(target, name)
    return true
  } catch {
    return false
  }
}

export const processGroup = (leader: number, system: Kills) => {
  let isLeaderGone = false
  return {
    /** The child itself has ended and was waited for; others of the group may live on. */
    leaderEnded: () => {
      isLeaderGone = true
    },
    signal(name: NodeJS.Signals) {
      // The system gives a number away again only when no process and no group bears it: then the group is empty.
      if (isLeaderGone && exists(leader, system)) return
      // A child that was forked a moment ago may not have made its group yet.
      if (!reached(-leader, name, system) && !isLeaderGone) reached(leader, name, system)
    },
  }
}

interface StartedOptions {
  runId: string
  child: Pick<Child, 'pid' | 'signal'>
  /** When the child was started, as `startOf` says it; empty when the system does not say. */
  started: string
  clock: Clock
  system: Pick<ChildSystem, 'pid' | 'startOf' | 'kill' | 'markedFinder'>
}

/** Between two looks at what is left. */
const LOOK_MS = 50

export const startedProcesses = ({ runId, child, started, clock, system }: StartedOptions) => {
  // A child that has ended before it was looked at is younger than this process at least.
  const since = started || (system.startOf(system.pid) ?? '')
  const marked = system.markedFinder({ name: SKILL_RUN_ENV, value: runId }, since)
  const signalled = new Set<number>()
  let last: NodeJS.Signals | undefined

  /** Each is asked once; what is to be killed is killed whenever it is seen. Returns how many there are. */
  const endEscaped = (): number => {
    const escaped = marked().filter(({ group }) => group !== child.pid)
    for (const { pid } of escaped) {
      if (last === 'SIGKILL') reached(pid, 'SIGKILL', system)
      else if (!signalled.has(pid)) reached(pid, 'SIGTERM', system)
      signalled.add(pid)
    }
    return escaped.length
  }

  return {
    /** Asks all of them to end, or kills them. */
    end(name: NodeJS.Signals) {
      last = name
      child.signal(name)
      endEscaped()
    },
    /** The processes were told to end, so none of them is to stay. */
    isEnding: () => last !== undefined,
    /** Resolves when nothing is left outside of the group, or when the signal aborts. */
    async escapedGone(signal: AbortSignal) {
      while (!signal.aborted && endEscaped() > 0) await pause(clock, LOOK_MS, signal)
    },
    /** The pids of those that are still there. */
    left: (): number[] => {
      const isChildThere = started !== '' && system.startOf(child.pid) === started
      const others = marked().flatMap(({ pid }) => (pid === child.pid ? [] : [pid]))
      return isChildThere ? [child.pid, ...others] : others
    },
  }
}

export type StartedProcesses = ReturnType<typeof startedProcesses>

const PREFIX = 'skill-run:'

const identityOf = ({ type, pid, started }: StoredEvent) =>
  type === 'child.spawned' && typeof pid === 'number' && typeof started === 'string' && started !== ''
    ? { pid, started }
    : undefined

/**
 * Kills the process group of the child of a run if it is surely still the same process, and what carries the id of the run.
 * Says whether there was any. Nobody waits here for a grace: the process that was to read the run is gone.
 */
export const endOrphans =
  (
    journal: Pick<Journal, 'records'>,
    isAlive: IsAlive,
    system: Pick<ChildSystem, 'kill' | 'markedFinder' | 'markedPids'> = childSystem,
  ) =>
  (actor: string): boolean => {
    const child = journal
      .records({ actor, passesDamage: true })
      .map(({ event }) => identityOf(event))
      .find(identity => identity !== undefined)
    const mark = { name: SKILL_RUN_ENV, value: actor.slice(PREFIX.length) }
    // A child that is not on record was started in the moment in which its host died, or its record is damaged.
    const marked = child
      ? system
          .markedFinder(mark, child.started)()
          .map(({ pid }) => pid)
      : system.markedPids(mark)
    const isChildAlive = child !== undefined && isAlive(child)
    if (isChildAlive) processGroup(child.pid, system).signal('SIGKILL')
    for (const pid of marked) reached(pid, 'SIGKILL', system)
    return isChildAlive || marked.length > 0
  }

/** The cleanup of hosts that may settle runs. */
export const leftRunProcesses = (journal: Journal, system?: ChildSystem): LeftProcessEnders => {
  const isStarted: IsAlive = ({ pid, started }) => system?.startOf(pid) === started
  return { 'skill-run': endOrphans(journal, system ? isStarted : isAlive, system) }
}
