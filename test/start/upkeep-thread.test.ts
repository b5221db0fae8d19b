/** What the upkeep thread does to a journal that a server has open, again and again. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openJournal } from '../../src/runtime/journal/sqlite.ts'
import { doUpkeep } from '../../src/start/upkeep-thread.ts'
import { manualClock } from '../support/manual-clock.ts'
import { recordOf } from '../support/runtime/records.ts'
import { temporary } from '../support/temporary.ts'

const folder = temporary('svc-upkeep-')

const targetOf = (descriptor: string): string => {
  try {
    return readlinkSync(join('/proc/self/fd', descriptor))
  } catch {
    return ''
  }
}
const openFiles = (path: string) =>
  readdirSync('/proc/self/fd').filter(descriptor => targetOf(descriptor).startsWith(path)).length

test('brings the WAL into the file', async () => {
  const path = join(folder(), 'journal.db')
  const journal = openJournal({ path, alive: () => true, clock: manualClock() })
  onTestFinished(() => journal.close())
  await journal.append(recordOf('brought-in', 0))
  const isIn = () => readFileSync(path).includes('brought-in')
  expect(isIn()).toBe(false)
  await doUpkeep({ path })
  expect(isIn()).toBe(true)
})

test.skipIf(!existsSync('/proc/self/fd'))('leaves no file open, however often it does so', async () => {
  const path = join(folder(), 'often.db')
  const journal = openJournal({ path, alive: () => true, clock: manualClock() })
  onTestFinished(() => journal.close())
  const before = openFiles(path)
  for (let n = 0; n < 20; n += 1) {
    await journal.append(recordOf('a', n))
    await doUpkeep({ path })
  }
  // SQLite keeps one for the next time while the journal holds its lock.
  expect(openFiles(path)).toBeLessThanOrEqual(before + 1)
})

test('makes no file in the place of one that was removed', async () => {
  const path = join(folder(), 'removed.db')
  await doUpkeep({ path })
  expect(existsSync(path)).toBe(false)
})
