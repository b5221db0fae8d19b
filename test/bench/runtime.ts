/** What the runtime costs: folding each machine, one send, one ask; each against a bare xstate `send`. */
import { createActor, setup } from 'xstate'
import { CATALOGUE, type MachineName } from '../../machines/catalogue.ts'
import type { DeviceEmitted } from '../../machines/device/device-setup.ts'
import type { JournalRecord } from '../../src/contracts/records/journal.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { foldRecords } from '../../src/runtime/fold.ts'
import { memoryJournal } from '../../src/runtime/journal/memory.ts'
import { answerFor, deviceHost, promptOperator, request, target } from '../support/executions/device-host.ts'
import { HISTORIES } from './histories.ts'
import type { BenchRow } from './row.ts'

const clock = systemClock()

/** Microseconds per call: the best of several batches, since this machine is shared. */
export const microseconds = async (calls: number, run: (index: number) => unknown): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let batch = 0; batch < 5; batch++) {
    const start = clock.elapsed()
    for (let index = 0; index < calls; index++) {
      const result = run(batch * calls + index)
      if (result instanceof Promise) await result
    }
    best = Math.min(best, ((clock.elapsed() - start) * 1_000) / calls)
  }
  return best
}

const bareSend = () => {
  const machine = setup({ types: { events: {} as { type: 'flip' } } }).createMachine({
    initial: 'a',
    states: { a: { on: { flip: 'b' } }, b: { on: { flip: 'a' } } },
  })
  const actor = createActor(machine).start()
  return microseconds(5_000, () => actor.send({ type: 'flip' }))
}

const foldRow = async (machine: MachineName, records: JournalRecord[], floor: number): Promise<BenchRow> => {
  const each = await microseconds(100, () => foldRecords(CATALOGUE[machine], records))
  const value = each / records.length
  return { name: `fold one record: ${machine}`, value, unit: 'us', floor: 'bare xstate send', ratio: value / floor }
}

export const runtimeRows = async (): Promise<BenchRow[]> => {
  const floor = await bareSend()
  const rows: BenchRow[] = [{ name: 'bare xstate send', value: floor, unit: 'us', floor: 'itself', ratio: 1 }]
  for (const { machine, records } of HISTORIES) rows.push(await foldRow(machine, records, floor))

  const journal = memoryJournal({ alive: () => true, clock })
  const host = deviceHost({ journal, clock, operator: promptOperator })
  const asked = await microseconds(500, index =>
    host.ask<DeviceEmitted>(target(), request(`e${index}`, clock), {
      matches: answerFor(`e${index}`),
      until: clock.now() + 5_000,
    }),
  )
  rows.push({
    name: 'ask round trip, 3 records, in memory',
    value: asked,
    unit: 'us',
    floor: 'bare xstate send',
    ratio: asked / floor,
  })
  await host.stop({ graceMs: 0 })
  return rows
}
