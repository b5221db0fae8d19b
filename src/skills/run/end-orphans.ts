/** What a dead host left running: the processes of its skill runs, which nobody reads and nobody would end. */
import type { StoredEvent } from '../../contracts/journal.ts'
import { SKILL_RUN_ENV } from '../../contracts/skill-run-id.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { markedFinder } from '../../runtime/marked-processes.ts'
import { processGroup, reached } from './process-group.ts'

export interface OrphanOptions {
  journal: Pick<Journal, 'records'>
  /** The actors that recovery has just settled. */
  recovered: readonly string[]
  isAlive: (identity: { pid: number; started: string }) => boolean
}

const PREFIX = 'skill-run:'

const identityOf = ({ type, pid, started }: StoredEvent) =>
  type === 'child.spawned' && typeof pid === 'number' && typeof started === 'string' && started !== ''
    ? { pid, started }
    : undefined

/**
 * Kills the process groups of children that are surely still the same processes, and what carries the id of their run.
 * Says which runs had any. Nobody waits here for a grace: the process that was to read the run is gone.
 */
export const endOrphans = ({ journal, recovered, isAlive }: OrphanOptions): string[] =>
  recovered.filter(actor => {
    if (!actor.startsWith(PREFIX)) return false
    const child = journal
      .records({ actor })
      .map(({ event }) => identityOf(event))
      .find(identity => identity !== undefined)
    if (!child) return false
    const mark = { name: SKILL_RUN_ENV, value: actor.slice(PREFIX.length) }
    const marked = markedFinder(mark, child.started)()
    const isChildAlive = isAlive(child)
    if (isChildAlive) processGroup(child.pid).signal('SIGKILL')
    for (const { pid } of marked) reached(pid, 'SIGKILL')
    return isChildAlive || marked.length > 0
  })
