/** Constructs what every role stands on: clock, ids, the journal of the home, and a host over it. */
import { createPolicies } from '../policy/policies.ts'
import { systemClock } from '../runtime/clock.ts'
import { journalPath } from '../runtime/home.ts'
import { createHost, type Host, type HostOptions } from '../runtime/host.ts'
import { systemIds } from '../runtime/ids.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { memoryJournal } from '../runtime/journal/memory.ts'
import { type JournalOptions, openJournal } from '../runtime/journal/sqlite.ts'
import { pruneIfDue } from '../runtime/journal/upkeep.ts'
import { mayLive, thisProcess } from '../runtime/processes.ts'
import { createTroubles } from '../runtime/troubles.ts'
import { leftRunProcesses } from '../skills/run/child-processes.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface FoundationOptions {
  env: Environment
  /** `~/.svc`, or SVC_HOME. */
  home: string
  /** A line for a person. */
  note(text: string): void
}

export const createFoundation = ({ env, home, note }: FoundationOptions) => {
  const clock = systemClock()
  const ids = systemIds()
  const troubles = createTroubles({ clock, note })
  const path = env.SVC_JOURNAL === 'off' ? undefined : journalPath(home)
  const parts = { alive: mayLive, clock, troubles }
  return {
    clock,
    ids,
    troubles,
    /** The journal file; undefined when nothing is recorded. */
    path,
    /** Throws JournalError. */
    open: (how: Pick<JournalOptions, 'hasUpkeep' | 'readOnly'> = {}): Journal =>
      path === undefined ? memoryJournal(parts) : openJournal({ ...parts, ...how, path }),
    policies: (journal: Journal) => createPolicies({ env, home, journal, clock, note }),
    host: (journal: Journal, machines: Pick<HostOptions, 'definitions' | 'ports'>): Host =>
      createHost({
        ...machines,
        journal,
        clock,
        holder: { ...thisProcess(), instance: ids.instance() },
        endLeftProcesses: leftRunProcesses(journal),
        troubles,
      }),
    prune: async (journal: Journal) => {
      if (path !== undefined) await pruneIfDue({ journal, path, clock })
    },
  }
}
