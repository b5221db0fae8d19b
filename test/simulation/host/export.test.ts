/** The journal of a simulated host, as a home that every command and the viewer read. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { journalPath } from '../../../src/runtime/home.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { EPOCH } from '../clock.ts'
import { planOf } from '../plan/plan.ts'
import { runPlan } from '../trial.ts'
import { exportJournal, moved } from './export.ts'

const HOUR_MS = 60 * 60 * 1_000

const contentOf = (journal: Journal) => {
  const all = [...recordsAfter(journal, 0, {})]
  const records = all.map(({ digest: _, ...record }) => record)
  const receipts = journal.receipts({ limit: 1_000 }).sort((a, b) => a.executionId.localeCompare(b.executionId))
  return { records, bodies: all.map(record => journal.body(record)), receipts }
}

const BEGUN = Date.now() - 60_000

test('has the same records, bodies and receipts, as of a trial of now, which no retention takes', async () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-exported-'))
  let simulated: ReturnType<typeof contentOf> | undefined
  await runPlan(planOf(8), {
    onEnd: async ([journal]) => {
      if (!journal) throw new Error('there is no host')
      simulated = contentOf(journal)
      await exportJournal(journal, home, BEGUN)
    },
  })
  const exported = openJournal({ path: journalPath(home), alive: () => false, clock: systemClock(), readOnly: true })
  try {
    const content = contentOf(exported)
    expect(content.records.length).toBeGreaterThan(20)
    expect(content).toEqual(moved(simulated, BEGUN - EPOCH))
    expect(content.receipts.length).toBeGreaterThan(2)
    for (const { at } of content.records) expect(Math.abs(at - Date.now())).toBeLessThan(2 * HOUR_MS)
  } finally {
    exported.close()
    rmSync(home, { recursive: true, force: true })
  }
})
