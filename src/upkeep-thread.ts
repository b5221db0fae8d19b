/** The thread that waits for the disk in the place of a server's event loop; a bundle of its own. */
import { systemClock } from './runtime/clock.ts'
import { openJournal } from './runtime/journal/sqlite.ts'
import type { UpkeepTask } from './runtime/journal/upkeep.ts'
import { isAlive } from './runtime/processes.ts'

export const doUpkeep = async ({ path, prune }: UpkeepTask): Promise<void> => {
  const journal = openJournal({ path, alive: isAlive, clock: systemClock() })
  try {
    if (prune) await journal.prune(prune)
    else journal.bringIn()
  } finally {
    journal.close()
  }
}
