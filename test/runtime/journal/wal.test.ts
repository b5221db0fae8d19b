/** What is left in the WAL is read by the next process that opens the journal, before it does anything. */
import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-wal-')
const clock = systemClock()

/** How many records the file has without its WAL. */
const inFile = (path: string): number => {
  const alone = `${path}.alone`
  copyFileSync(path, alone)
  const journal = openJournal({ path: alone, alive: () => true, clock, readOnly: true })
  const count = journal.records({ limit: 10_000 }).length
  journal.close()
  return count
}

const written = async (name: string, isKept: boolean) => {
  const path = join(folder(), name, 'journal.db')
  const journal = openJournal({ path, alive: () => true, clock, hasUpkeep: isKept })
  for (let n = 0; n < 150; n++) await journal.append(recordOf('a', n))
  return { path, journal }
}

test('a command brings it in on the way, so that it never holds much', async () => {
  const { path, journal } = await written('command', false)
  expect(inFile(path)).toBeGreaterThan(20)
  journal.close()
})

test('a server keeps it for a thread of its own, and leaves nothing there when it ends', async () => {
  const { path, journal } = await written('server', true)
  expect(inFile(path)).toBe(0)
  journal.close()
  expect(inFile(path)).toBe(150)
  expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0)
})
