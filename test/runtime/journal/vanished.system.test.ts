/** A journal whose file was removed or replaced under a running process: what is held stays held, and nobody writes into the void. */
import { randomBytes } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive, thisProcess } from '../../../src/runtime/processes/processes.ts'
import { linesIn } from '../../support/lines.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { runProgram, startProgram } from '../../support/run-program.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import { settled } from '../../support/settled.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-vanished-')
let path = ''
let count = 0
let journal: Journal
const open = () => openJournal({ path, alive: isAlive, clock: systemClock() })
const removeAll = () => rmSync(dirname(path), { recursive: true })
const holder = { ...thisProcess(), instance: 'i' }
const request = { key: 'device:d1', holder, since: 1, note: {} }

beforeEach(async () => {
  path = join(folder(), `home-${count++}`, 'journal', 'journal.db')
  journal = open()
  for (let n = 0; n < 3; n++) await journal.append(recordOf('a', n))
})
afterEach(() => journal.close())

test('the write that finds out is refused; the next one is in a new file, above the positions that were used', async () => {
  removeAll()
  expect(await refusalOf(() => journal.append(recordOf('a', 3)))).toBe('vanished')
  expect(existsSync(path)).toBe(true)
  expect((await journal.append(recordOf('a', 0))).seq).toBe(5)
  await journal.synced()
  const other = open()
  expect(other.records({ actor: 'a' })).toMatchObject([{ seq: 5, n: 0 }])
  other.close()
})

test('what this process held it still holds, for every process', async () => {
  const { lease } = await journal.leases.acquire(request)
  removeAll()
  await refusalOf(() => journal.append(recordOf('a', 3)))
  const other = open()
  expect(await other.leases.acquire({ ...request, holder: { ...holder, instance: 'other' } })).toEqual({
    granted: false,
    lease,
  })
  expect(await journal.leases.release(lease)).toBe(true)
  expect((await other.leases.acquire(request)).lease.fence).toBeGreaterThan(lease.fence)
  other.close()
})

test('a file that somebody else has put there is used from then on', async () => {
  const { lease } = await journal.leases.acquire(request)
  const moved = `${dirname(path)}-moved`
  renameSync(dirname(path), moved)
  const other = open()
  await other.append(recordOf('b', 0))
  expect(await refusalOf(() => journal.append(recordOf('a', 3)))).toBe('vanished')
  expect(journal.last('b')).toMatchObject({ n: 0 })
  expect(other.leases.list()).toEqual([lease])
  other.close()
})

test('readers go on with the new file', async () => {
  const got: number[] = []
  journal.subscribe(records => got.push(...records.map(({ seq }) => seq)))
  removeAll()
  await refusalOf(() => journal.append(recordOf('a', 3)))
  await journal.append(recordOf('a', 0))
  await expect.poll(() => got).toContain(5)
})

test('a process that writes nothing finds out by itself', async () => {
  const clock = manualClock()
  const idle = openJournal({ path, alive: isAlive, clock })
  removeAll()
  clock.advance(1_000)
  await settled()
  expect(existsSync(path)).toBe(true)
  idle.close()
})

test.skipIf(process.platform !== 'linux')(
  'another process makes no new one while somebody works with the removed one, and waits for it',
  async () => {
    journal.close()
    const clock = manualClock()
    const idle = openJournal({ path, alive: isAlive, clock })
    removeAll()
    const log = join(folder(), `${count}.log`)
    const refused = await runProgram('journal-writer', [path, log, 'w', '1'])
    expect(refused.code).not.toBe(0)
    expect(refused.stderr).toContain(`process ${process.pid} still uses it`)
    expect(existsSync(path)).toBe(false)
    const waiting = runProgram('journal-writer', [path, log, 'w', '1'])
    await new Promise(resolve => setTimeout(resolve, 500))
    clock.advance(1_000)
    expect((await waiting).code).toBe(0)
    expect(linesIn<{ seq: number }>(log).every(({ seq }) => seq > 4)).toBe(true)
    idle.close()
  },
)

test('two processes that work with the removed file go on together in the new one', async () => {
  const { child, ended } = startProgram('journal-echo', [path])
  try {
    await new Promise(resolve => child.stdout?.once('data', resolve))
    removeAll()
    expect(await refusalOf(() => journal.append(recordOf('bench:call', 0)))).toBe('vanished')
    await journal.append(recordOf('bench:call', 0))
    await expect.poll(() => journal.last('bench:echo'), { timeout: 10_000 }).toMatchObject({ n: 0 })
  } finally {
    child.kill('SIGKILL')
    await ended
  }
})

test('the new file is no larger than the old one was allowed to be', async () => {
  const small = openJournal({ path, alive: isAlive, clock: systemClock(), maxPages: 60 })
  removeAll()
  await refusalOf(() => small.append(recordOf('a', 3)))
  const body = { text: randomBytes(300_000).toString('hex') }
  expect(await refusalOf(() => small.append(recordOf('a', 0, { body })))).toBe('full')
  small.close()
})
