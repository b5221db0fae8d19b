/** What the journal of a home holds after a trial: which row each execution taps, whether replaying equals what was lived, who owns what. */
import { CATALOGUE, type MachineName } from '../../../machines/catalogue.ts'
import type { Definition } from '../../../machines/definition.ts'
import { isActor } from '../../../src/contracts/records/machines.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { foldRecords, statePath } from '../../../src/runtime/fold.ts'
import { journalPath } from '../../../src/runtime/home.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'

export interface JournalStory {
  /** By execution. */
  rows: ReadonlyMap<string, string>
  unlike: readonly string[]
  leases: readonly string[]
}

interface Job {
  execution?: { actions?: { type: string; params?: unknown }[] }
}

const ROW = /"(tap-\d+)"/

/** An element that was found before is named by what it is, its text among it. */
const rowOf = (body: unknown): string | undefined => {
  const clicks = (body as Job | undefined)?.execution?.actions?.filter(({ type }) => type === 'click') ?? []
  return ROW.exec(JSON.stringify(clicks))?.[1]
}

const rowsIn = (journal: Journal): Map<string, string> => {
  const rows = new Map<string, string>()
  for (const record of recordsAfter(journal, 0, {})) {
    if (record.machine !== 'device' || record.event.type !== 'execution.requested') continue
    const row = rowOf(journal.body(record))
    if (row !== undefined) rows.set(String(record.event.executionId), row)
  }
  return rows
}

/** Each record says the state before and after as its writer lived it: folding the records up to there must say the same. */
export const unlikeIn = (journal: Journal): string[] =>
  journal.actors({ limit: Number.MAX_SAFE_INTEGER }).flatMap(({ actor, machine }) => {
    const definition: Definition | undefined = CATALOGUE[machine as MachineName]
    if (!definition) return []
    let folded = foldRecords(definition, [])
    const problems: string[] = []
    for (const record of recordsAfter(journal, 0, { actor })) {
      if (!isActor(record)) continue
      if (record.n !== folded.n) problems.push(`${actor} has record ${record.n} where ${folded.n} was due`)
      folded = foldRecords(definition, [record], folded)
      const replayed = folded.snapshot ? statePath(folded.snapshot.value) : ''
      if (replayed !== record.to)
        problems.push(`${actor} lived ${record.to} at ${record.seq}, replayed it is ${replayed}`)
    }
    return problems
  })

export const readHome = (home: string): JournalStory => {
  const journal = openJournal({ path: journalPath(home), alive: () => true, clock: systemClock(), readOnly: true })
  try {
    const leases = journal.leases
      .list()
      .map(({ key, holder, note }) => `${key} of ${holder.pid} ${JSON.stringify(note)}`)
    return { rows: rowsIn(journal), unlike: unlikeIn(journal), leases }
  } finally {
    journal.close()
  }
}
