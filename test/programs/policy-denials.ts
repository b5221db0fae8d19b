/** Refuses many executions at once by the policy, and says what could not be recorded. */

import { systemClock } from '../../src/runtime/clock.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../src/runtime/processes/processes.ts'
import { createRecordDenial, createRefuse } from '../../src/service/policy/refuse.ts'

const [path = '', name = '', count = '0'] = process.argv.slice(2)
const clock = systemClock()
const journal = openJournal({ path, alive: isAlive, clock })
const notes: string[] = []
const refuse = createRefuse(createRecordDenial({ journal, clock, note: text => void notes.push(text) }))
const details = { rule: 'no', effect: 'deny', action: 'click', caller: 'cli' } as const
process.stdout.write('ready\n')
await new Promise(resolve => process.stdin.once('data', resolve))
await Promise.all(
  Array.from({ length: Number(count) }, (_, index) =>
    refuse({ code: 'EXECUTION_DENIED', message: 'the rule says no', details }, { commandId: `${name}-${index}` }),
  ),
)
process.stdin.destroy()
journal.close()
process.stdout.write(JSON.stringify(notes))
