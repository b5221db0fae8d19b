/** Copies of one journal, made once by a program that has ended, for tests that harm their files. */
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, expect } from 'vitest'
import type { JournalRecord } from '../../../src/contracts/records/journal.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { exportJournal } from '../../../src/runtime/journal/export.ts'
import type { Checkpoint, StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../../src/runtime/processes/processes.ts'
import { linesIn } from '../../support/lines.ts'
import { runProgram } from '../../support/run-program.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import { temporary } from '../../support/temporary.ts'

interface Line {
  record?: JournalRecord
  receipt?: StoredReceipt
  checkpoint?: Checkpoint
  body?: unknown
  bodyLost?: string
  digest?: string
}

/** How many records, and how many of them came with a receipt. */
export const WRITTEN = 1_200
export const RECEIPTS = 60

export const range = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index)

export const copies = (prefix: string) => {
  const folder = temporary(prefix)
  let path = ''
  let count = 0
  const whole = () => join(folder(), 'whole', 'journal.db')

  beforeAll(async () => {
    const log = join(folder(), 'whole.log')
    const { code } = await runProgram('journal-writer', [whole(), log, 'w', String(WRITTEN / 2), '0', 'receipts'])
    expect(code).toBe(0)
  })
  beforeEach(() => {
    path = join(folder(), `copy-${count++}`, 'journal.db')
    cpSync(dirname(whole()), dirname(path), { recursive: true })
  })

  const open = (readOnly = false) => openJournal({ path, alive: isAlive, clock: systemClock(), readOnly })

  const exported = () => {
    const to = join(dirname(path), 'export.ndjson')
    const told = exportJournal({ path, to })
    const lines = linesIn<Line>(to)
    const records = lines.flatMap(({ record }) => (record ? [record] : []))
    expect(records).toHaveLength(told.records)
    expect(new Set(records.map(({ seq }) => seq)).size).toBe(records.length)
    return { ...told, lines, seqs: records.map(({ seq }) => seq).sort((a, b) => a - b) }
  }

  /** Every way of reading, for what each of them makes of the damage. */
  const readings = async () => {
    const journal = open(true)
    const reasons = await Promise.all([
      ...range(WRITTEN / 100).map(hundred => refusalOf(() => journal.records({ after: hundred * 100, limit: 100 }))),
      ...['shared', 'own:w'].flatMap(actor => [
        refusalOf(() => journal.records({ actor })),
        refusalOf(() => journal.last(actor)),
        refusalOf(() => journal.checkpoint(actor)),
      ]),
      refusalOf(() => journal.actors()),
      refusalOf(() => journal.receipts({ limit: 1_000 })),
      refusalOf(() => journal.leases.list()),
      refusalOf(() => journal.head()),
    ])
    journal.close()
    return reasons
  }

  return { folder, path: () => path, open, exported, readings }
}
