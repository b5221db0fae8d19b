/** While nothing can be recorded, GET /health says so; what a caller did wrong is no trouble of the journal. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTroubles } from '../../../src/runtime/background-failures.ts'
import { connect } from '../../../src/runtime/journal/connection.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-writer-')
const UNWRITABLE = 'the journal cannot be written by this process'

const setup = (name: string, maxPages?: number) => {
  const path = join(folder(), name, 'journal.db')
  const clock = manualClock()
  const notes: string[] = []
  const troubles = createTroubles({ clock, note: text => notes.push(text) })
  const journal = openJournal({ path, alive: () => true, clock, troubles, ...(maxPages ? { maxPages } : {}) })
  return { path, clock, notes, troubles, journal }
}

test('a file that is gone from beside its log is a trouble until it is back, noted once', async () => {
  const { path, clock, notes, troubles, journal } = setup('gone')
  await journal.append(recordOf('a', 0))
  renameSync(path, `${path}.away`)
  clock.advance(1_000)
  expect(troubles.list(), 'found without a write').toMatchObject([{ what: UNWRITABLE }])
  for (let n = 1; n < 4; n++) expect(await refusalOf(() => journal.append(recordOf('a', n)))).toBe('truncated')
  expect(troubles.list()).toMatchObject([{ what: UNWRITABLE }])
  expect(notes).toHaveLength(1)
  renameSync(`${path}.away`, path)
  await journal.append(recordOf('a', 1))
  expect(troubles.list()).toEqual([])
  journal.close()
})

test('a full disk is a trouble until there is room', async () => {
  const { troubles, journal } = setup('full', 60)
  const body = { text: 'x'.repeat(600_000) }
  expect(await refusalOf(() => journal.append(recordOf('a', 0, { body })))).toBe('full')
  expect(troubles.list()).toMatchObject([{ what: UNWRITABLE }])
  await journal.append(recordOf('a', 0))
  expect(troubles.list()).toEqual([])
  journal.close()
})

test('a write that lost against another one is no trouble', async () => {
  const { troubles, journal } = setup('behind')
  await journal.append(recordOf('a', 0))
  expect(await refusalOf(() => journal.append(recordOf('a', 0)))).toBe('behind')
  expect(troubles.list()).toEqual([])
  journal.close()
})

test('more writes at once than go together are all written, in their order', async () => {
  const { journal } = setup('many')
  const many = Array.from({ length: 500 }, (_, n) => n)
  const written = await Promise.all(many.map(n => journal.append(recordOf('a', n))))
  expect(written.map(({ seq }) => seq)).toEqual(many.map(n => n + 1))
  expect(journal.records({ limit: 500 }).map(({ n }) => n)).toEqual(many)
  journal.close()
})

test('what is queued is written at once where the next act waits for it', async () => {
  const { journal } = setup('flushed')
  const [first, second] = [journal.append(recordOf('a', 0)), journal.append(recordOf('a', 1))]
  expect(journal.head()).toBe(0)
  journal.flush()
  expect(journal.head()).toBe(2)
  expect((await Promise.all([first, second])).map(({ n }) => n)).toEqual([0, 1])
  journal.flush()
  journal.close()
})

test('a write that another process keeps out is tried again later, and no sooner for whoever waits for it', async () => {
  const { path, clock, journal } = setup('locked')
  const other = connect(path)
  other.exec('BEGIN IMMEDIATE')
  const written = journal.append(recordOf('a', 0))
  journal.flush()
  other.exec('COMMIT')
  journal.flush()
  expect(journal.head()).toBe(0)
  clock.advance(10)
  expect((await written).n).toBe(0)
  other.close()
  journal.close()
})
