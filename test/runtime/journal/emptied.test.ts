/** A journal file cut to nothing beside its write-ahead log: nobody opens it before a repair has read that log. */
import { cpSync, existsSync, readFileSync, truncateSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { checkJournal } from '../../../src/runtime/journal/check.ts'
import { exportJournal } from '../../../src/runtime/journal/export.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { doUpkeep } from '../../../src/start/upkeep-thread.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-emptied-')
const clock = systemClock()
let path = ''
let count = 0
beforeEach(async () => {
  const whole = join(folder(), `whole-${count}`, 'journal.db')
  const journal = openJournal({ path: whole, alive: () => true, clock })
  for (let n = 0; n < 3; n++) await journal.append(recordOf('a', n))
  path = join(folder(), `copy-${count++}`, 'journal.db')
  cpSync(dirname(whole), dirname(path), { recursive: true })
  journal.close()
  truncateSync(path)
})

test('an export reads the log, and leaves it as it is', () => {
  const wal = readFileSync(`${path}-wal`)
  expect(exportJournal({ path, to: `${path}.jsonl` })).toMatchObject({ records: 3, skipped: 0 })
  expect(readFileSync(`${path}-wal`).equals(wal)).toBe(true)
})

test.each<[string, () => unknown]>([
  ['a command that writes', () => openJournal({ path, alive: () => true, clock })],
  ['a command that reads', () => openJournal({ path, alive: () => true, clock, readOnly: true })],
  ['the check of svc doctor', () => checkJournal({ path, clock })],
  ['the upkeep of a server', () => doUpkeep({ path })],
])('%s is refused and leaves the log as it is', async (_, open) => {
  const wal = readFileSync(`${path}-wal`)
  expect(await refusalOf(async () => await open())).toBe('truncated')
  expect(existsSync(`${path}-wal`) && readFileSync(`${path}-wal`).equals(wal)).toBe(true)
})
