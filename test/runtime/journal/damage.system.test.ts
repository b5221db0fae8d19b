/** Damaged pages: what is intact can be read, and what SQLite can still read is exported. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { ExportTargetError, exportJournal } from '../../../src/runtime/journal/export.ts'
import { replaceJournal } from '../../../src/runtime/journal/repair.ts'
import { kindOf, overwrite, PAGE_BYTES, pagesOf } from '../../support/runtime/damage.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import { copies, RECEIPTS, range, WRITTEN } from './copies.ts'

const clock = systemClock()
const { path, open, exported, readings } = copies('svc-damage-')
const noise = (page: number) => Buffer.alloc(PAGE_BYTES, `noise ${page} \u00ff\u0000\u0001`, 'latin1')

describe('an export', () => {
  test('exports all of a journal that is well', async () => {
    const { seqs, records, receipts, checkpoints, skipped, lines } = exported()
    expect({ records, receipts, checkpoints, skipped }).toEqual({
      records: WRITTEN,
      receipts: RECEIPTS,
      checkpoints: 1,
      skipped: 0,
    })
    expect(seqs).toEqual(range(WRITTEN, 1))
    const journal = open()
    for (const { record, body } of lines.slice(0, 50)) {
      if (record)
        expect([record, body]).toEqual([journal.records({ after: record.seq - 1, limit: 1 })[0], journal.body(record)])
    }
    expect(lines.flatMap(({ receipt }) => receipt ?? [])).toEqual(journal.receipts({ limit: 100 }).reverse())
    journal.close()
  })

  test('never writes over a file', async () => {
    const to = join(dirname(path()), 'kept')
    writeFileSync(to, 'kept')
    expect(() => exportJournal({ path: path(), to })).toThrow(ExportTargetError)
    expect(readFileSync(to, 'utf8')).toBe('kept')
    expect(await refusalOf(() => exportJournal({ path: `${path()}.none`, to }))).toBe('not-openable')
  })
})

describe('pages overwritten in the middle', () => {
  const rowsIn = (kind: number) => range(pagesOf(path())).filter(page => page > 0 && kindOf(path(), page) === kind)

  test('cost the rows that were on them and nothing else', async () => {
    const leaves = rowsIn(0x0d)
    const hit = range(4).map(index => leaves[Math.floor(((index + 1) * leaves.length) / 6)] ?? 1)
    for (const page of hit) overwrite(path(), page, noise(page))
    const reasons = await readings()
    expect(new Set(reasons)).toEqual(new Set(['none', 'corrupt']))
    expect(reasons.filter(reason => reason === 'none').length).toBeGreaterThan(WRITTEN / 200)

    const { records, receipts, skipped } = exported()
    // A page holds some twenty rows at most.
    expect(records).toBeGreaterThan(WRITTEN - 4 * 25)
    expect(receipts).toBeGreaterThan(RECEIPTS - 25)
    expect(skipped).toBeGreaterThan(0)

    const journal = open()
    expect((await journal.append(recordOf('new', 0))).seq).toBe(WRITTEN + 1)
    journal.close()
  })

  test('that lead to the rows cost those rows, and each is counted', async () => {
    const interior = rowsIn(0x05)
    expect(interior.length).toBeGreaterThan(0)
    for (const page of interior) overwrite(path(), page, noise(page))
    expect(await readings()).toContain('corrupt')
    const { records, receipts, checkpoints, skipped } = exported()
    expect(records).toBeLessThan(WRITTEN)
    expect(records + receipts + checkpoints + skipped).toBeGreaterThanOrEqual(WRITTEN + RECEIPTS + 1)
  })

  test('of indexes cost no row at all', async () => {
    for (const page of [...rowsIn(0x0a), ...rowsIn(0x02)]) overwrite(path(), page, noise(page))
    expect(await readings()).toContain('corrupt')
    expect(exported()).toMatchObject({ records: WRITTEN, receipts: RECEIPTS, skipped: 0 })
  })

  test('are corrupt, or intact, whatever was written over them', async () => {
    // Text that is not UTF-8, sizes that reach far beyond the page, cells that point at each other.
    const patterns = [
      Buffer.alloc(64, 0xff),
      Buffer.alloc(64, 0x80),
      Buffer.from(range(64).map(index => (index * 73) & 0xff)),
    ]
    for (const page of range(pagesOf(path())).slice(2)) {
      overwrite(path(), page, patterns[page % 3] ?? Buffer.alloc(64), (page * 61) % 4_000)
    }
    const reasons = await readings()
    expect(reasons.filter(reason => reason !== 'none' && reason !== 'corrupt')).toEqual([])
    const { records, skipped } = exported()
    expect(records + skipped).toBeGreaterThan(0)
  })
})

describe.each([
  ['a header of zeros', true, () => overwrite(path(), 0, Buffer.alloc(100))],
  ['another file’s beginning', false, () => overwrite(path(), 0, noise(0))],
] as const)('%s', (_, isReadable, damage) => {
  test('is corrupt, and is replaced by a journal that continues', async () => {
    const before = open()
    const holder = { pid: process.pid, started: 's', instance: 'i' }
    const want = { key: 'device', holder, since: 1, note: {} }
    const { fence } = (await before.leases.acquire(want)).lease
    before.close()
    damage()
    // What the last writer left in its WAL may hold a good copy of the page: with it there is no damage.
    for (const suffix of ['-wal', '-shm']) rmSync(`${path()}${suffix}`, { force: true })
    expect(await refusalOf(() => open())).toBe('corrupt')
    expect(await refusalOf(() => open(true))).toBe('corrupt')
    if (isReadable) expect(exported().records).toBeGreaterThan(0)
    else expect(await refusalOf(() => exported())).toBe('corrupt')

    const { after, aside } = replaceJournal({ path: path(), clock })
    expect(after).toBe(WRITTEN)
    expect(aside.every(file => existsSync(file))).toBe(true)
    const journal = open()
    expect((await journal.append(recordOf('a', 0))).seq).toBe(WRITTEN + 2)
    expect(journal.records()).toMatchObject([{ event: { type: 'journal.lost', from: 1, to: WRITTEN } }, { actor: 'a' }])
    // Its holder may live: what it still sends must be older than whatever is granted now.
    if (!isReadable) expect((await journal.leases.acquire(want)).lease.fence).toBeGreaterThan(fence)
    journal.close()
  })
})
