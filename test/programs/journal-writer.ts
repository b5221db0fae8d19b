/** Appends to an actor of its own and to one it shares, states each acknowledged record, and may be told to die after the nth. */
import { appendFileSync } from 'node:fs'
import { systemClock } from '../../src/runtime/clock.ts'
import { JournalError } from '../../src/runtime/journal/fault.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../src/runtime/processes/processes.ts'
import { receiptOf, recordOf, resultOf } from '../support/runtime/records.ts'

const [path = '', log = '', name = 'w', count = '0', killAt = '0', mode = ''] = process.argv.slice(2)
const clock = systemClock()
/** As that of a server, all of it stays in the WAL while it runs. */
const journal = openJournal({ path, alive: isAlive, clock, hasUpkeep: mode === 'kept' })
let refusals = 0
let acknowledged = 0

const append = async (actor: string) => {
  for (;;) {
    const n = (journal.last(actor)?.n ?? -1) + 1
    try {
      const body = { writer: name, actor, n, text: 'x'.repeat((n % 7) * 300) }
      const receipt = receiptOf(`e${n}`, { state: 'settled', result: resultOf(`n is ${n}`) })
      return await journal.append(
        recordOf(actor, n, { at: clock.now(), event: { type: 'written', by: name }, body }),
        mode === 'receipts' && n % 10 === 0 ? { receipt } : {},
      )
    } catch (error) {
      if (!(error instanceof JournalError) || error.reason !== 'behind') throw error
      refusals += 1
    }
  }
}

for (let index = 0; index < Number(count); index++) {
  for (const actor of ['shared', `own:${name}`]) {
    const { seq, n } = await append(actor)
    appendFileSync(log, `${JSON.stringify({ seq, actor, n, by: name })}\n`)
    acknowledged += 1
    if (acknowledged === Number(killAt)) process.kill(process.pid, 'SIGKILL')
  }
}
if (mode === 'receipts')
  await journal.saveCheckpoint({ actor: 'shared', n: 500, seq: 999, version: 1, snapshot: { value: 'idle' } })
journal.close()
process.stdout.write(JSON.stringify({ acknowledged, refusals }))
