/** What a dead host left running: the children of its skill runs, which nobody reads and nobody would end. */
import type { StoredEvent } from '../../contracts/journal.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { processGroup } from './process-group.ts'

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

/** Ends the process groups of children that are surely still the same processes; says which runs had one. */
export const endOrphans = ({ journal, recovered, isAlive }: OrphanOptions): string[] =>
  recovered.filter(actor => {
    if (!actor.startsWith(PREFIX)) return false
    const child = journal
      .records({ actor })
      .map(({ event }) => identityOf(event))
      .find(identity => identity !== undefined)
    if (!child || !isAlive(child)) return false
    processGroup(child.pid).signal('SIGKILL')
    return true
  })
