/** Gives up its privileges, as root may write everywhere, opens a journal and says what became of it. */
import { systemClock } from '../../src/runtime/clock.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../src/runtime/processes/processes.ts'

const NOBODY = 65_534
const [path = ''] = process.argv.slice(2)
if (process.getuid?.() === 0) process.setuid?.(NOBODY)

const outcome = (readOnly: boolean) => {
  try {
    const journal = openJournal({ path, alive: isAlive, clock: systemClock(), readOnly })
    const records = journal.records().length
    journal.close()
    return { records }
  } catch (error) {
    return { reason: error instanceof JournalError ? error.reason : String(error) }
  }
}

process.stdout.write(JSON.stringify({ write: outcome(false), read: outcome(true) }))
