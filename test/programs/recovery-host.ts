/** A host that runs three executions on a real journal and may be told to die by SIGKILL right after its nth append. */
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeviceEmitted, OperatorInput } from '../../machines/device/device-setup.ts'
import type { JournalRecord } from '../../src/contracts/records/journal.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import type { Port } from '../../src/runtime/port.ts'
import { isAlive, thisProcess } from '../../src/runtime/processes/processes.ts'
import { answerFor, deviceHost, request, target } from '../support/executions/device-host.ts'

const [path = '', log = '', killAt = '0'] = process.argv.slice(2)
const clock = systemClock()
/** One synchronous write per fact, so that a kill loses none that was stated. */
const say = (fact: Record<string, unknown>) => appendFileSync(log, `${JSON.stringify(fact)}\n`)

const real = openJournal({ path, alive: isAlive, clock })
let appends = 0
const acknowledge = (written: JournalRecord) => {
  say({ acknowledged: written.seq, type: written.event.type })
  appends += 1
  if (appends === Number(killAt)) process.kill(process.pid, 'SIGKILL')
}
const journal: Journal = {
  ...real,
  append: async (record, options) => {
    const written = await real.append(record, options)
    acknowledge(written)
    return written
  },
  begin: async (lease, record, options) => {
    const begun = await real.begin(lease, record, options)
    if (begun.granted) acknowledge(begun.record)
    return begun
  },
}

/** Two segments with a pause between them; every effect on the "device" is stated before the next thing happens. */
const operator: Port<OperatorInput> = async ({ executionId }, { send, commit, signal }) => {
  for (const segment of [0, 1]) {
    if (!(await commit({ type: 'execution.dispatched', executionId, segment }))) return
    say({ effect: executionId, segment })
    await sleep(2)
    if (signal.aborted) return
  }
  await send({ type: 'execution.settled', executionId, ok: true, body: { ok: true, executionId } })
}

const host = deviceHost({ journal, clock, operator, instance: `host-${process.pid}`, ...thisProcess() })
say({ recovered: await host.recover() })
if (killAt !== 'never') {
  for (const executionId of ['e1', 'e2', 'e3']) {
    const answer = await host.ask<DeviceEmitted>(target(), request(executionId, clock), {
      matches: answerFor(executionId),
      until: clock.now() + 20_000,
    })
    say({ answer: executionId, kind: answer.kind })
  }
}
await host.stop({ graceMs: 1_000 })
real.close()
say({ done: appends })
