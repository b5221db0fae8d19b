/** What was committed is on the disk when it is said to be; one turn serves all who wait. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDisk } from '../../../src/runtime/journal/disk.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { recordOf } from '../../support/runtime/records.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-disk-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = () => openJournal({ path: join(folder, 'journal.db'), alive: () => true, clock: manualClock() })

test('an append is waited for, alone and among many', async () => {
  const journal = open()
  for (let n = 0; n < 20; n++) {
    await journal.append(recordOf('a', n))
    await Promise.all(Array.from({ length: n }, () => journal.synced()))
  }
  expect(journal.head()).toBe(20)
  journal.close()
})

test('who asks while a turn runs gets the next one, and all of them the same', async () => {
  writeFileSync(join(folder, 'j-wal'), '')
  const disk = openDisk(join(folder, 'j'))
  const order: string[] = []
  const first = disk.reach().then(() => order.push('first'))
  const second = disk.reach()
  expect(disk.reach()).toBe(second)
  await Promise.all([first, second.then(() => order.push('second'))])
  expect(order).toEqual(['first', 'second'])
  disk.close()
})

test('a WAL that is not there is said, to all who wait, and again to the next', async () => {
  const disk = openDisk(join(folder, 'none'))
  const refused = { code: 'JOURNAL_UNAVAILABLE', reason: 'not-openable' }
  const waits = [disk.reach(), disk.reach()]
  await expect(waits[0]).rejects.toMatchObject(refused)
  await expect(waits[1]).rejects.toMatchObject(refused)
  writeFileSync(join(folder, 'none-wal'), '')
  await expect(disk.reach()).resolves.toBeUndefined()
  disk.close()
})

test('a journal that is closed waits for nothing', async () => {
  const journal = open()
  await journal.append(recordOf('a', 0))
  const running = journal.synced()
  journal.close()
  await expect(running).resolves.toBeUndefined()
  await expect(journal.synced()).rejects.toMatchObject({ reason: 'closed' })
})
