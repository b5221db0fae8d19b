/** Ends the processes that a dead host's skill runs left behind, because nobody else reads or ends them. */

import { SKILL_RUN_ENV } from '../../contracts/ids.ts'
import type { StoredEvent } from '../../contracts/journal.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { markedFinder, markedPids } from '../../runtime/process-list.ts'
import { isAlive } from '../../runtime/processes.ts'
import type { LeftOvers } from '../../runtime/registry.ts'
import { processGroup, reached } from './process-group.ts'

export interface OrphanOptions {
  journal: Pick<Journal, 'records'>
  isAlive: (identity: { pid: number; started: string }) => boolean
}

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
  ({ journal, isAlive }: OrphanOptions) =>
  (actor: string): boolean => {
    const child = journal
      .records({ actor, passesDamage: true })
      .map(({ event }) => identityOf(event))
      .find(identity => identity !== undefined)
    const mark = { name: SKILL_RUN_ENV, value: actor.slice(PREFIX.length) }
    // A child that is not on record was started in the moment in which its host died, or its record is damaged.
    const marked = child ? markedFinder(mark, child.started)().map(({ pid }) => pid) : markedPids(mark)
    const isChildAlive = child !== undefined && isAlive(child)
    if (isChildAlive) processGroup(child.pid).signal('SIGKILL')
    for (const pid of marked) reached(pid, 'SIGKILL')
    return isChildAlive || marked.length > 0
  }

/** The cleanup of hosts that may settle runs. */
export const runLeftOvers = (journal: Journal): LeftOvers => ({ 'skill-run': endOrphans({ journal, isAlive }) })
