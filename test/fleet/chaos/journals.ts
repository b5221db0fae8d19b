/** Reads what the journals of all hosts hold: each execution that was accepted, its dispatches and ends, and its epoch. */
import { join } from 'node:path'
import { isActor } from '../../../src/contracts/records/machines.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { journalPath } from '../../../src/runtime/home.ts'
import type { Journal as OpenJournal } from '../../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { toTransition } from '../../../src/runtime/transitions.ts'
import { ranAt } from '../../laws/ran.ts'
import type { Journal, Ran } from '../../laws/story.ts'
import { unlikeIn as unlikeInJournal } from '../../long/trial/journal-story.ts'
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

/** Also what the fleet owns and who belongs to it: each host lives it by machines of its own. */
export const unlikeIn = ({ hosts }: Pick<World, 'hosts'>): string[] =>
  hosts.flatMap(({ id, home }) => reading(home, unlikeInJournal).map(problem => `${id}: ${problem}`))

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
