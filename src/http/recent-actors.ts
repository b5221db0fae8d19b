/** The newest record of each actor, the most recent first. */
import type { JournalRecord } from '../contracts/journal.ts'
import { WATCHED_NAMES } from '../contracts/machines.ts'
import type { Journal } from '../runtime/journal/journal.ts'

/** Nobody reads more. */
const ACTORS_MAX = 1_000

export const recentActors = (journal: Journal): JournalRecord[] =>
  WATCHED_NAMES.flatMap(machine => journal.actors({ machine, limit: ACTORS_MAX }))
    .sort((a, b) => b.seq - a.seq)
    .slice(0, ACTORS_MAX)
