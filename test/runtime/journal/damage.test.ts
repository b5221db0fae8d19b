/** Damaged files: what is intact can be read, everything else can be exported, and a new journal takes over. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { JournalRecord } from '../../../src/contracts/journal.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { startAnew } from '../../../src/runtime/journal/anew.ts'
import type { Checkpoint, StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { salvage } from '../../../src/runtime/journal/salvage.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { isAlive } from '../../../src/runtime/processes.ts'
import { cutTo, kindOf, overwrite, PAGE_BYTES, pagesOf } from '../../support/damage.ts'
import { linesIn } from '../../support/lines.ts'
import { recordOf } from '../../support/records.ts'
import { refusalOf } from '../../support/refusal.ts'
import { runProgram } from '../../support/run-program.ts'
import { temporary } from '../../support/temporary.ts'

interface Line {
  record?: JournalRecord
  receipt?: StoredReceipt
  checkpoint?: Checkpoint
  body?: unknown
  bodyLost?: string
  digest?: string
}

const WRITTEN = 1_200
const folder = temporary('svc-damage-')
const clock = systemClock()
const range = (length: number, from = 0) => Array.from({ length }, (_, index) => from + index)
let path = ''
let count = 0

/** A journal that its writer has closed, made once and copied for each test. */
const whole = () => join(folder(), 'whole', 'journal.db')
beforeAll(async () => {
  const { code } = await runProgram('journal-writer', [
    whole(),
    join(folder(), 'whole.log'),
    'w',
    String(WRITTEN / 2),
    '0',
    'receipts',
  ])
  expect(code).toBe(0)
})
beforeEach(() => {
  path = join(folder(), `copy-${count++}`, 'journal.db')
  cpSync(dirname(whole()), dirname(path), { recursive: true })
})

const open = (readOnly = false) => openJournal({ path, alive: isAlive, clock, readOnly })
const exported = () => {
  const to = join(dirname(path), 'export.ndjson')
  const told = salvage({ path, to })
  const lines = linesIn<Line>(to)
  const records = lines.flatMap(({ record }) => (record ? [record] : []))
  expect(records).toHaveLength(told.records)
  expect(new Set(records.map(({ seq }) => seq)).size).toBe(records.length)
  return { ...told, lines, seqs: records.map(({ seq }) => seq).sort((a, b) => a - b) }
}
const noise = (page: number) => Buffer.alloc(PAGE_BYTES, `noise ${page} \u00ff\u0000\u0001`, 'latin1')

/** Every way of reading, for what each of them makes of the damage. */
const readings = () => {
  const journal = open(true)
  const reasons = [
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
  ]
  journal.close()
  return reasons
}

describe('salvage', () => {
  test('exports all of a journal that is well', () => {
    const { seqs, records, receipts, checkpoints, skipped, lines } = exported()
    expect({ records, receipts, checkpoints, skipped }).toEqual({
      records: WRITTEN,
      receipts: 60,
      checkpoints: 1,
      skipped: 0,
    })
    expect(seqs).toEqual(range(WRITTEN, 1))
    const journal = open()
    for (const { record, body } of lines.slice(0, 50)) {
      if (record)
        expect([record, body]).toEqual([
          journal.records({ after: record.seq - 1, limit: 1 })[0],
          journal.body(String(record.digest)),
        ])
    }
    expect(lines.flatMap(({ receipt }) => receipt ?? [])).toEqual(journal.receipts({ limit: 100 }).reverse())
    journal.close()
  })

  test('never writes over a file', () => {
    const to = join(dirname(path), 'kept')
    writeFileSync(to, 'kept')
    expect(refusalOf(() => salvage({ path, to }))).toBe('failed')
    expect(refusalOf(() => salvage({ path: `${path}.none`, to }))).toBe('not-openable')
  })
})

describe('pages overwritten in the middle', () => {
  const rowsIn = (kind: number) => range(pagesOf(path)).filter(page => page > 0 && kindOf(path, page) === kind)

  test('cost the rows that were on them and nothing else', () => {
    const leaves = rowsIn(0x0d)
    const hit = range(4).map(index => leaves[Math.floor(((index + 1) * leaves.length) / 6)] ?? 1)
    for (const page of hit) overwrite(path, page, noise(page))
    const reasons = readings()
    expect(new Set(reasons)).toEqual(new Set(['none', 'corrupt']))
    expect(reasons.filter(reason => reason === 'none').length).toBeGreaterThan(WRITTEN / 200)

    const { records, receipts, skipped } = exported()
    // A page holds some twenty rows at most.
    expect(records).toBeGreaterThan(WRITTEN - 4 * 25)
    expect(receipts).toBeGreaterThan(60 - 25)
    expect(skipped).toBeGreaterThan(0)

    const journal = open()
    expect(journal.append(recordOf('new', 0)).seq).toBe(WRITTEN + 1)
    journal.close()
  })

  test('that lead to the rows cost no row at all', () => {
    const interior = rowsIn(0x05)
    expect(interior.length).toBeGreaterThan(0)
    for (const page of interior) overwrite(path, page, noise(page))
    expect(readings()).toContain('corrupt')
    const { seqs, receipts, checkpoints, skipped } = exported()
    expect(seqs).toEqual(range(WRITTEN, 1))
    expect({ receipts, checkpoints, skipped }).toEqual({ receipts: 60, checkpoints: 1, skipped: 0 })
  })

  test('of indexes cost no row at all', () => {
    for (const page of [...rowsIn(0x0a), ...rowsIn(0x02)]) overwrite(path, page, noise(page))
    expect(readings()).toContain('corrupt')
    expect(exported()).toMatchObject({ records: WRITTEN, receipts: 60, skipped: 0 })
  })

  test('are corrupt, or intact, whatever was written over them', () => {
    // Text that is not UTF-8, sizes that reach far beyond the page, cells that point at each other.
    const patterns = [
      Buffer.alloc(64, 0xff),
      Buffer.alloc(64, 0x80),
      Buffer.from(range(64).map(index => (index * 73) & 0xff)),
    ]
    for (const page of range(pagesOf(path)).slice(2)) {
      overwrite(path, page, patterns[page % 3] ?? Buffer.alloc(64), (page * 61) % 4_000)
    }
    const reasons = readings()
    expect(reasons.filter(reason => reason !== 'none' && reason !== 'corrupt')).toEqual([])
    const { records, skipped } = exported()
    expect(records + skipped).toBeGreaterThan(0)
  })
})

describe.each([
  ['a header of zeros', () => overwrite(path, 0, Buffer.alloc(100))],
  ['another file’s beginning', () => overwrite(path, 0, noise(0))],
])('%s', (_, damage) => {
  test('is corrupt, costs no row, and is replaced by a journal that continues', () => {
    const before = open()
    const holder = { pid: process.pid, started: 's', instance: 'i' }
    before.leases.acquire({ key: 'device', holder, since: 1, note: {} })
    before.close()
    damage()
    // What the last writer left in its WAL may hold a good copy of the page: with it there is no damage.
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    expect(refusalOf(() => open())).toBe('corrupt')
    expect(refusalOf(() => open(true))).toBe('corrupt')
    const { seqs, receipts, skipped } = exported()
    expect(seqs).toEqual(range(WRITTEN, 1))
    expect({ receipts, skipped }).toEqual({ receipts: 60, skipped: 0 })
    expect(readdirSync(dirname(path)).filter(name => name.startsWith('.salvage'))).toEqual([])

    const { after, aside } = startAnew({ path, clock })
    expect(after).toBe(WRITTEN)
    expect(aside.every(file => existsSync(file))).toBe(true)
    const journal = open()
    expect(journal.append(recordOf('a', 0)).seq).toBe(WRITTEN + 2)
    expect(journal.records()).toMatchObject([{ event: { type: 'journal.lost', from: 1, to: WRITTEN } }, { actor: 'a' }])
    journal.close()
  })
})

describe('a file cut short', () => {
  test.each([0.7, 0.1])('to %d is corrupt, and gives up what is left', share => {
    cutTo(path, share)
    expect(refusalOf(() => open())).toBe('corrupt')
    expect(refusalOf(() => open(true))).toBe('corrupt')
    const { records, seqs } = exported()
    expect(records).toBeGreaterThan(0)
    expect(seqs.length).toBeLessThan(WRITTEN)
    expect(startAnew({ path, clock }).after).toBe(WRITTEN)
  })

  test('to nothing is corrupt, and a new journal continues', () => {
    cutTo(path, 0)
    expect(refusalOf(() => open())).toBe('corrupt')
    expect(startAnew({ path, clock }).after).toBe(WRITTEN)
    const journal = open()
    expect(journal.append(recordOf('a', 0)).seq).toBe(WRITTEN + 2)
    journal.close()
  })
})

describe('a new journal', () => {
  test('goes on counting the fences of the old one, and knows who holds what', () => {
    const old = open()
    const holder = { pid: 1, started: 's', instance: 'i' }
    old.leases.acquire({ key: 'held', holder: { pid: 1, started: 's', instance: 'i' }, since: 7, note: { a: 1 } })
    const freed = old.leases.acquire({
      key: 'freed',
      holder: { pid: 1, started: 's', instance: 'i' },
      since: 7,
      note: {},
    })
    old.leases.release(freed.lease)
    old.close()
    startAnew({ path, clock })
    const journal = open()
    const held = { key: 'held', fence: 1, since: 7, note: { a: 1 }, holder }
    expect(journal.leases.list()).toEqual([held])
    for (const key of ['freed', 'held']) {
      expect(journal.leases.acquire({ key, holder: { ...holder, instance: 'new' }, since: 8, note: {} })).toMatchObject(
        {
          granted: true,
          lease: { fence: 2 },
        },
      )
    }
    journal.close()
  })

  test('begins at the beginning where there was none', () => {
    rmSync(dirname(path), { recursive: true })
    expect(startAnew({ path, clock })).toEqual({ aside: [], after: 0 })
    const journal = open()
    expect(journal.append(recordOf('a', 0)).seq).toBe(1)
    journal.close()
  })
})

describe('a WAL cut short', () => {
  const acknowledged = () => linesIn<{ seq: number }>(join(folder(), 'cut.log')).length
  const cut = () => join(folder(), 'cut', 'journal.db')
  beforeAll(async () => {
    await runProgram('journal-writer', [cut(), join(folder(), 'cut.log'), 'w', '200', '150'])
  })
  beforeEach(() => {
    rmSync(dirname(path), { recursive: true })
    mkdirSync(dirname(path))
    cpSync(dirname(cut()), dirname(path), { recursive: true })
    rmSync(`${path}-shm`, { force: true })
  })

  test('as it was left by a kill is whole', () => {
    const journal = open()
    expect(journal.head()).toBe(acknowledged())
    journal.close()
  })

  test.each([0.95, 0.5, 0.01, 0])('to %d is truncated; the rest can be read and a new journal continues', share => {
    cutTo(`${path}-wal`, share)
    expect(refusalOf(() => open())).toBe('truncated')
    expect(refusalOf(() => open())).toBe('truncated')
    const rest = open(true)
    const left = rest.records({ limit: 10_000 })
    expect(left.length).toBeLessThan(acknowledged())
    if (share === 0.95) expect(left.length).toBeGreaterThan(acknowledged() / 2)
    rest.close()
    expect(exported().seqs).toEqual(left.map(({ seq }) => seq))
    expect(startAnew({ path, clock }).after).toBe(acknowledged())
    const journal = open()
    expect(journal.append(recordOf('a', 0)).seq).toBe(acknowledged() + 2)
    journal.close()
  })
})
