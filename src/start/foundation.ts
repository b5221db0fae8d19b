/** Constructs what every role stands on: clock, ids, the journal of the home, and a host over it. */

import { FLOW_RUN_ENV } from '../contracts/records/ids.ts'
import { createTroubles } from '../runtime/background-failures.ts'
import { type Environment, journalPath } from '../runtime/home.ts'
import { createHost, type Host, type HostOptions } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { JournalOptions } from '../runtime/journal/sqlite.ts'
import { pruneIfDue } from '../runtime/journal/upkeep.ts'
import { markedPids } from '../runtime/processes/process-list.ts'
import type { LeftProcessEnders } from '../runtime/registry.ts'
import { createPolicies } from '../service/policy/policies.ts'
import { leftRunProcesses } from '../service/skills/run/child-processes.ts'
import { systemWorld, type World } from './world.ts'

const PREFIX = 'flow-run:'

/** Ends the processes of scripts that a dead runner of flows has left at work. */
export const leftScriptProcesses: LeftProcessEnders = {
  'flow-run': actor => {
    for (const pid of markedPids({ name: FLOW_RUN_ENV, value: actor.slice(PREFIX.length) })) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
  },
}

export interface FoundationOptions {
  env: Environment
  /** `~/.svc`, or SVC_HOME. */
  home: string
  /** A line for a person. */
  note(text: string): void
  /** The real one unless told. */
  world?: World
}

export const createFoundation = ({ env, home, note, world = systemWorld() }: FoundationOptions) => {
  const { clock, ids } = world
  const troubles = createTroubles({ clock, note })
  const path = env.SVC_JOURNAL === 'off' ? undefined : journalPath(home)
  return {
    world,
    troubles,
    /** The journal file; undefined when nothing is recorded. */
    path,
    /** Throws JournalError. */
    open: (how: Pick<JournalOptions, 'hasUpkeep' | 'readOnly'> = {}): Journal =>
      world.openJournal({ ...how, troubles, path }),
    policies: (journal: Journal) => createPolicies({ env, home, journal, clock, note }),
    host: (journal: Journal, machines: Pick<HostOptions, 'definitions' | 'ports'>): Host =>
      createHost({
        ...machines,
        journal,
        clock,
        holder: { ...world.self(), instance: ids.instance() },
        bootId: world.bootId,
        endLeftProcesses: { ...leftRunProcesses(journal, world.children), ...leftScriptProcesses },
        troubles,
      }),
    prune: async (journal: Journal) => {
      if (path !== undefined) await pruneIfDue({ journal, path, clock })
    },
  }
}
