/** Every way in which a store can fail: a JournalError that says why, and nothing lost but what the damage took. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'libsql'
import { beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { markPath } from '../../../src/runtime/journal/mark.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { runProgram } from '../../support/run-program.ts'
import { tamper } from '../../support/runtime/damage.ts'
import { receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import { settled } from '../../support/settled.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-faults-')
const clock = systemClock()
let path = ''
let count = 0
beforeEach(() => {
  path = join(folder(), `fault-${count++}`, 'journal', 'journal.db')
})

const open = (more: { maxPages?: number; readOnly?: boolean } = {}) =>
  openJournal({ path, alive: () => true, clock, ...more })
const opening = (more?: { readOnly?: boolean }) => refusalOf(() => open(more).close())
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

describe('a store that is well', () => {
  test('belongs to its user alone', async () => {
    const journal = open()
    await journal.append(recordOf('a', 0))
    expect(modeOf(dirname(path))).toBe('700')
    expect(modeOf(dirname(dirname(path)))).toBe('700')
    for (const file of [path, `${path}-wal`, `${path}-shm`, markPath(path)])
      expect([file, modeOf(file)]).toEqual([file, '600'])
    journal.close()
  })
})

describe('a full store', () => {
  test('refuses what does not fit and goes on with the rest', async () => {
    const journal = open({ maxPages: 60 })
    const holder = { pid: 1, started: 's', instance: 'i' }
    const lease = (await journal.leases.acquire({ key: 'd', holder, since: 1, note: {} })).lease
    let n = 0
    const append = async () => {
      const receipt = receiptOf(`e${n}`, { state: 'settled', result: resultOf('x'.repeat(3_000)) })
      const written = await journal.append(recordOf('a', n, { body: { n, text: 'x'.repeat(5_000) } }), {
        receipt,
      })
      n += 1
      return written
    }
    const filling = await refusalOf(async () => {
      for (;;) await append()
    })
    expect(filling).toBe('full')
    expect(n).toBeGreaterThan(5)
    expect(await refusalOf(append)).toBe('full')
    expect(journal.records()).toHaveLength(n)
    expect(journal.receipts()).toHaveLength(n)
    expect(journal.receipt(`e${n}`)).toBeUndefined()
    expect(await journal.leases.release(lease)).toBe(true)
    expect((await journal.prune({ maxAgeMs: 1, maxBytes: 0, now: 1_000_000 })).receipts).toBe(n)
    expect((await append()).n).toBe(n - 1)
    journal.close()
    const wider = open()
    expect(wider.records()).toHaveLength(n)
    for (const record of wider.records()) expect(wider.body(record)).toMatchObject({ text: 'x'.repeat(5_000) })
    wider.close()
  })
})

describe('a store that cannot be opened', () => {
  test('because its directory may not be written', async () => {
    const journal = open()
    await journal.append(recordOf('a', 0))
    journal.close()
    // What a process that ended has left: the file alone.
    tamper(path, 'PRAGMA wal_checkpoint(TRUNCATE)')
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    for (const directory of [folder(), dirname(dirname(path))]) chmodSync(directory, 0o755)
    for (const file of [path, markPath(path)]) chmodSync(file, 0o666)
    chmodSync(dirname(path), 0o555)
    const { stdout, stderr } = await runProgram('journal-reader', [path])
    chmodSync(dirname(path), 0o755)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({ write: { reason: 'read-only' }, read: { records: 1 } })
  })

  test('because its directory cannot be made there', async () => {
    mkdirSync(dirname(dirname(path)), { recursive: true })
    for (const directory of [folder(), dirname(dirname(path))]) chmodSync(directory, 0o755)
    const { stdout } = await runProgram('journal-reader', [path])
    expect(JSON.parse(stdout)).toEqual({ write: { reason: 'read-only' }, read: { reason: 'not-openable' } })
  })

  test('because the system makes no folders there: said, and not tried for ever', async () => {
    if (!existsSync('/proc/self')) return
    const { code, stdout } = await runProgram('journal-reader', ['/proc/nowhere/journal/journal.db'])
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { write: { reason: 'not-openable' } }])
  })

  test('because something else is in its place', async () => {
    expect(await opening({ readOnly: true })).toBe('not-openable')
    mkdirSync(path, { recursive: true })
    expect(await opening()).toBe('not-openable')
    expect(await opening({ readOnly: true })).toBe('not-openable')
    path = join(path, '..', 'file', 'journal.db')
    writeFileSync(dirname(path), 'a file')
    expect(await opening()).toBe('not-openable')
  })

  test('because its directory is a link: followed where it leads to one, named where it does not', async () => {
    const real = join(dirname(dirname(path)), 'elsewhere')
    mkdirSync(real, { recursive: true })
    symlinkSync(real, dirname(path))
    const journal = open()
    expect((await journal.append(recordOf('a', 0))).seq).toBe(1)
    journal.close()
    expect(existsSync(join(real, 'journal.db'))).toBe(true)
    rmSync(real, { recursive: true })
    for (const readOnly of [false, true]) {
      expect(() => open({ readOnly })).toThrow(`${dirname(path)} is a link to a directory that does not exist`)
    }
  })

  test('because another process keeps writing: the event loop goes on, and the write is given up in the end', async () => {
    const clock = manualClock()
    const journal = openJournal({ path, clock, alive: () => true })
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    const kept = refusalOf(() => journal.append(recordOf('a', 0)))
    const begun = performance.now()
    for (let turn = 0; turn < 20; turn++) {
      await settled()
      clock.advance(100)
    }
    expect(performance.now() - begun).toBeLessThan(1_000)
    const late = journal.append(recordOf('b', 0))
    for (let turn = 0; turn < 31; turn++) {
      await settled()
      clock.advance(100)
    }
    expect(await kept).toBe('busy')
    other.exec('COMMIT')
    clock.advance(100)
    expect((await late).seq).toBe(1)
    other.close()
    journal.close()
  })
})

describe('a store of a newer version', () => {
  test('is not written, and read as far as its tables are known', async () => {
    const journal = open()
    await journal.append(recordOf('a', 0, { body: { kept: true } }))
    journal.close()
    tamper(path, 'PRAGMA user_version = 99; ALTER TABLE records ADD COLUMN more TEXT')
    expect(await opening()).toBe('newer-schema')
    const old = open({ readOnly: true })
    expect(old.records()).toHaveLength(1)
    expect(await refusalOf(() => old.append(recordOf('a', 1)))).toBe('newer-schema')
    expect(await refusalOf(() => old.saveCheckpoint({ actor: 'a', n: 1, seq: 1, version: 1, snapshot: 1 }))).toBe(
      'newer-schema',
    )
    old.close()
    tamper(path, 'ALTER TABLE bodies RENAME TO contents')
    expect(await opening({ readOnly: true })).toBe('newer-schema')
    expect(await opening()).toBe('newer-schema')
  })
})

describe('the mark', () => {
  const line = (boot: string, seq: number, again = seq) =>
    `${boot} ${String(seq).padStart(16, '0')} ${String(again).padStart(16, '0')}\n`
  const bootNow = () => readFileSync(markPath(path), 'latin1').split(' ')[0] ?? ''
  const fill = async (records: number) => {
    const journal = open()
    for (let n = 0; n < records; n++) await journal.append(recordOf('a', n))
    journal.close()
  }

  test('that leads, in the same run of the machine, is a truncation', async () => {
    await fill(3)
    writeFileSync(markPath(path), line(bootNow(), 5))
    expect(await opening()).toBe('truncated')
    const rest = open({ readOnly: true })
    expect(rest.records()).toHaveLength(3)
    rest.close()
  })

  test('that leads after a reboot is a loss, which is recorded, and no position is used twice', async () => {
    await fill(3)
    writeFileSync(markPath(path), line('an-earlier-boot', 5))
    const journal = open()
    expect(journal.last('journal')).toMatchObject({ seq: 6, n: 0, event: { type: 'journal.lost', from: 4, to: 5 } })
    expect((await journal.append(recordOf('a', 3))).seq).toBe(7)
    journal.close()
    expect(await opening()).toBe('none')
    writeFileSync(markPath(path), line('an-earlier-boot', 9))
    const again = open()
    expect(again.last('journal')).toMatchObject({ seq: 10, n: 1, event: { from: 8, to: 9 } })
    again.close()
  })

  test.each([
    ['lags', (boot: string) => line(boot, 1)],
    ['was read while it was written', (boot: string) => line(boot, 9, 3)],
    ['says nothing', () => 'what?'],
    ['is empty', () => ''],
  ])('that %s raises no alarm', async (_, content) => {
    await fill(3)
    writeFileSync(markPath(path), content(bootNow()))
    const journal = open()
    expect((await journal.append(recordOf('a', 3))).seq).toBe(4)
    journal.close()
    expect(readFileSync(markPath(path), 'latin1').startsWith(line(bootNow(), 4))).toBe(true)
  })

  test('of a journal that was taken away keeps its positions used', async () => {
    await fill(3)
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    const journal = open()
    expect(journal.records()).toMatchObject([
      { seq: 4, actor: 'journal', event: { type: 'journal.lost', from: 1, to: 3 } },
    ])
    expect((await journal.append(recordOf('a', 0))).seq).toBe(5)
    journal.close()
  })

  test('does not let a new file be read through the WAL of the one that was taken away', async () => {
    const old = open()
    await old.append(recordOf('a', 0))
    rmSync(path)
    expect(await opening()).toBe('truncated')
    old.close()
  })
})
