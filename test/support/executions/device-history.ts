/** A device that executes again and again, as its records say it: for tests of what reads them. */
import type { Journal, NewRecord } from '../../../src/runtime/journal/journal.ts'

const CYCLE = 3

/** The records of one execution, from its request to its answer. */
export const cycleOf = (serial: string, index: number, at: number): NewRecord[] => {
  const executionId = `${serial}-execution-${index}`
  const n = 1 + index * CYCLE
  const place = { actor: `device:${serial}`, machine: 'device', version: 1 }
  const request = { commandId: `command-${index}`, taskId: 't', deviceId: serial, timeoutMs: 5_000 }
  const requested = { type: 'execution.requested', executionId, ...request, acceptUntil: at + 10_000, at }
  const dispatched = { type: 'execution.dispatched', executionId, segment: 0, at: at + 5 }
  const settled = { type: 'execution.settled', executionId, ok: true, at: at + 20 }
  const busy = ['in-flight']
  return [
    { ...place, n, at, event: requested, from: 'idle', to: 'running.accepted', tags: busy },
    {
      ...place,
      n: n + 1,
      at: at + 5,
      event: dispatched,
      from: 'running.accepted',
      to: 'running.dispatched',
      tags: busy,
    },
    { ...place, n: n + 2, at: at + 20, event: settled, from: 'running.dispatched', to: 'idle', tags: [] },
  ]
}

export const creationOf = (serial: string, at: number): NewRecord => ({
  actor: `device:${serial}`,
  machine: 'device',
  version: 1,
  n: 0,
  at,
  event: { type: 'actor.created', input: { serial }, at },
  from: '',
  to: 'idle',
  tags: [],
})

/** From its creation, with so many executions. */
export const recordDevice = async (journal: Journal, serial: string, executions: number, from = 1_700_000_000_000) => {
  const records = [creationOf(serial, from)]
  for (let index = 0; index < executions; index++) records.push(...cycleOf(serial, index, from + 1_000 * (index + 1)))
  await Promise.all(records.map(record => journal.append(record)))
}
