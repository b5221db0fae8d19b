/**
 * Learns of executions in doubt on a real journal, with a phone that takes a while: each question states its beginning and
 * its end in a file that all askers append to, and what is known in the end is printed.
 */

import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { outcomeOf } from '../../src/contracts/executions/outcome-of.ts'
import { pause, systemClock } from '../../src/runtime/clock.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { mayLive, thisProcess } from '../../src/runtime/processes/processes.ts'
import { createLearner } from '../../src/service/executions/evidence/learn.ts'
import { NO_FENCE } from '../../src/service/executions/fence.ts'
import { deviceHost } from '../support/executions/device-host.ts'

const [path = '', log = '', name = '', ...executionIds] = process.argv.slice(2)
const ANSWER_MS = 30
const clock = systemClock()
const journal = openJournal({ path, alive: mayLive, clock })
const say = (fact: Record<string, unknown>) => appendFileSync(log, `${JSON.stringify({ by: name, ...fact })}\n`)
const operator = () => {
  throw new Error('nothing is sent')
}
const host = deviceHost({ journal, clock, operator, instance: name, ...thisProcess() })
const learner = createLearner({
  ...{ host, journal, clock, fence: NO_FENCE },
  askRequest: () => {
    throw new Error('this home has all of its executions')
  },
  askPhone: async ({ executionId }) => {
    say({ asks: executionId })
    await pause(clock, ANSWER_MS)
    const steps = [0, 1].map(step => ({ step, success: true }))
    say({ asked: executionId })
    return {
      kind: 'known',
      evidence: { type: 'execution.evidenced', executionId, source: 'operator', steps, outcome: 'done' },
    }
  },
})

process.stdout.write('ready\n')
await once(process.stdin, 'data')
for (const executionId of executionIds) {
  const receipt = journal.receipt(executionId)
  if (receipt) await learner.learn(receipt, { again: true })
  const known = journal.receipt(executionId)
  say({ knows: executionId, outcome: known && outcomeOf(known), evidence: known?.evidence })
}
await host.stop({ graceMs: 0 })
journal.close()
process.exit()
