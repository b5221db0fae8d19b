/** The thread that waits for the disk in the place of a server's event loop; a bundle of its own. */
import { systemClock } from '../runtime/clock.ts'
import { connect } from '../runtime/journal/connection.ts'
import { fileIdentity, refuseEmptied } from '../runtime/journal/file-problems.ts'
import { CHECKPOINT_WAL } from '../runtime/journal/schema.ts'
import { openJournal } from '../runtime/journal/sqlite.ts'
import { pruneClaimed, type UpkeepTask } from '../runtime/journal/upkeep.ts'
import { mayLive } from '../runtime/processes/processes.ts'

/**
 * Brings the WAL into the file. Every second of a server at work, so without opening a whole journal: libsql closes a file only
 * once its statements are collected, and this thread does too little to collect them.
 */
const checkpointWal = (path: string): void => {
  // One that is not there would be made.
  if (fileIdentity(path) === undefined) return
  refuseEmptied(path)
  const connection = connect(path)
  try {
    connection.exec(CHECKPOINT_WAL)
  } finally {
    connection.close()
  }
}

export const doUpkeep = async ({ path, prune }: UpkeepTask): Promise<void> => {
  if (!prune) return checkpointWal(path)
  const clock = systemClock()
  const journal = openJournal({ path, alive: mayLive, clock })
  try {
    await pruneClaimed({ ...prune, journal, path, clock })
  } finally {
    journal.close()
  }
}
