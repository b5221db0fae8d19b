/** Answers every record of `bench:call` with one of its own, until it is killed. */
import { systemClock } from '../../src/runtime/clock.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../src/runtime/processes/processes.ts'
import { recordOf } from '../support/runtime/records.ts'

const [path = ''] = process.argv.slice(2)
const journal = openJournal({ path, alive: isAlive, clock: systemClock() })
let n = 0

journal.subscribe(records => {
  for (const { actor } of records) if (actor === 'bench:call') void journal.append(recordOf('bench:echo', n++))
})
setInterval(() => {}, 1_000)
process.stdout.write('ready\n')
