/** Whether a journal is in order: opened as an execution would open it, and read. */
import { existsSync } from 'node:fs'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal } from '../../runtime/journal/journal.ts'

export type Examined =
  | { state: 'absent' }
  | { state: 'in order'; records: number }
  | { state: 'faulty'; error: JournalError }

const PAGE = 1_000

/** The newest of everything: what the next execution and the next question need. */
const readNewest = (journal: Journal): number => {
  const head = journal.head()
  journal.records({ after: Math.max(0, head - PAGE) })
  journal.actors({ limit: PAGE })
  for (const id of journal.receiptIds({ limit: PAGE })) journal.receipt(id)
  return head
}

/** Every record and every body it names. */
const readAll = (journal: Journal): number => {
  let after = 0
  for (;;) {
    const records = journal.records({ after, limit: PAGE })
    for (const { digest } of records) if (digest !== null) journal.body(digest)
    const last = records.at(-1)
    if (!last) return readNewest(journal)
    after = last.seq
  }
}

export interface ExamineOptions {
  path: string
  open: () => Journal
  thorough: boolean
}

/** Looking does not make a journal where there is none. */
export const examineJournal = ({ path, open, thorough }: ExamineOptions): Examined => {
  try {
    if (!existsSync(path) && !existsSync(`${path}-wal`)) return { state: 'absent' }
    const journal = open()
    return { state: 'in order', records: thorough ? readAll(journal) : readNewest(journal) }
  } catch (error) {
    if (error instanceof JournalError) return { state: 'faulty', error }
    throw error
  }
}
