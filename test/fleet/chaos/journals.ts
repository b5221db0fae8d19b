/** Reads what the journals of all hosts hold: each execution that was accepted, its dispatches and ends, and its epoch. */
import { join } from 'node:path'
import type { JournalRecord } from '../../../src/contracts/journal.ts'
import { isActor } from '../../../src/contracts/machines.ts'
import type { OperatorJob } from '../../../src/operator/job.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { journalPath } from '../../../src/runtime/home.ts'
import type { Journal as OpenJournal } from '../../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { toTransition } from '../../../src/runtime/transitions.ts'
import type { Journal, Ran } from './story.ts'
import type { World } from './world.ts'

const reading = <T>(home: string, read: (journal: OpenJournal) => T): T => {
  const path = journalPath(join(home, '.svc'))
  const journal = openJournal({ path, alive: () => true, clock: systemClock(), readOnly: true })
  try {
    return read(journal)
  } finally {
    journal.close()
  }
}

export const journalHeads = ({ hosts }: Pick<World, 'hosts'>): Record<string, number> =>
  Object.fromEntries(hosts.map(({ id, home }) => [id, reading(home, journal => journal.head())]))

type Unfinished = { -readonly [K in keyof Ran]: Ran[K] } & { dispatches: number[]; ends: string[] }

/** Follows the records of one host in their order. */
const ranAt = (
  host: string,
  records: readonly JournalRecord[],
  journal: OpenJournal,
  phones: readonly string[],
): Ran[] => {
  const all: Unfinished[] = []
  const current = new Map<string, Unfinished>()
  for (const record of records) {
    const { actor, event, from, to, at, machine } = record
    if (machine !== 'device') continue
    if (event.type === 'execution.requested' && from === 'idle' && to !== 'idle') {
      const { phone = '', epoch, isSent = false } = (journal.body(record) ?? {}) as Partial<OperatorJob>
      const ran: Unfinished = {
        host,
        executionId: String(event.executionId),
        command: String(event.commandId),
        phone: phones.indexOf(phone.replace(/^device:/, '')),
        acceptedAt: at,
        epoch,
        isForwarded: isSent,
        dispatches: [],
        ends: [],
        isWithdrawn: false,
      }
      all.push(ran)
      current.set(actor, ran)
      continue
    }
    const running = current.get(actor)
    if (!running) continue
    if (event.type === 'execution.dispatched' && to !== 'idle') running.dispatches.push(at)
    if (event.dispatched === false) running.isWithdrawn = true
    if (from !== 'idle' && to === 'idle') {
      running.ends.push(event.type)
      current.delete(actor)
    }
  }
  return all
}

export const readJournals = ({ hosts, lab }: Pick<World, 'hosts' | 'lab'>): { ran: Ran[]; journals: Journal[] } => {
  const phones = lab.fleet.devices.map(({ phone }) => phone.properties.get('ro.serialno') ?? '')
  const read = hosts.map(({ id, home }) =>
    reading(home, journal => {
      const records = [...recordsAfter(journal, 0, {})]
      const transitions = records.filter(isActor).map(record => ({ ...toTransition(record), host: id }))
      return { ran: ranAt(id, records, journal, phones), journal: { host: id, transitions } }
    }),
  )
  return { ran: read.flatMap(({ ran }) => ran), journals: read.map(({ journal }) => journal) }
}
