/** Subscribes to a journal and says, once it has seen so many records, which ones and how late each came. With 0 it only subscribes. */
import { systemClock } from '../../src/runtime/clock.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../src/runtime/processes/processes.ts'

const [path = '', count = '0'] = process.argv.slice(2)
const clock = systemClock()
const journal = openJournal({ path, alive: isAlive, clock })
const seqs: number[] = []
const delays: number[] = []
const awake = setInterval(() => {}, 1_000)

journal.subscribe(records => {
  const now = clock.now()
  for (const { seq, at } of records) {
    seqs.push(seq)
    delays.push(now - at)
  }
  if (seqs.length < Number(count)) return
  process.stdout.write(JSON.stringify({ seqs, delays }))
  clearInterval(awake)
})
if (count === '0') clearInterval(awake)
process.stdout.write('ready\n')
