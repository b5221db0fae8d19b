/** Files cut short, and the new journal that takes over. */
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/runtime/clock.ts'
import { replaceJournal } from '../../../src/runtime/journal/repair.ts'
import { linesIn } from '../../support/lines.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { runProgram } from '../../support/run-program.ts'
import { cutTo } from '../../support/runtime/damage.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import { copies, WRITTEN } from './copies.ts'

const clock = systemClock()
const DAY_MS = 24 * 60 * 60 * 1_000
const { folder, path, open, exported } = copies('svc-truncation-')

describe('a file cut short', () => {
  test.each([0.7, 0.1])('to %d is corrupt, and gives up what is left', async share => {
    cutTo(path(), share)
    expect(await refusalOf(() => open())).toBe('corrupt')
    expect(await refusalOf(() => open(true))).toBe('corrupt')
    const { records, seqs } = exported()
    expect(records).toBeGreaterThan(0)
    expect(seqs.length).toBeLessThan(WRITTEN)
    expect(replaceJournal({ path: path(), clock }).after).toBe(WRITTEN)
  })

  test('to nothing is corrupt, and a new journal continues', async () => {
    cutTo(path(), 0)
    expect(await refusalOf(() => open())).toBe('corrupt')
    expect(replaceJournal({ path: path(), clock }).after).toBe(WRITTEN)
    const journal = open()
    expect((await journal.append(recordOf('a', 0))).seq).toBe(WRITTEN + 2)
    journal.close()
  })
})

describe('a new journal', () => {
  test('goes on counting the fences of the old one, and knows who holds what', async () => {
    const old = open()
    const holder = { pid: 1, started: 's', instance: 'i' }
    await old.leases.acquire({ key: 'held', holder, since: 7, note: { a: 1 } })
    await old.leases.release((await old.leases.acquire({ key: 'freed', holder, since: 7, note: {} })).lease)
    old.close()
    replaceJournal({ path: path(), clock })
    const journal = open()
    const [held, ...others] = journal.leases.list()
    expect(held).toMatchObject({ key: 'held', since: 7, note: { a: 1 }, holder })
    expect(others).toEqual([])
    for (const key of ['freed', 'held']) {
      const again = await journal.leases.acquire({ key, holder: { ...holder, instance: 'new' }, since: 8, note: {} })
      expect(again.granted).toBe(true)
      expect(again.lease.fence).toBeGreaterThan(1)
    }
    journal.close()
  })

  test.each([
    ['as it goes', 0],
    ['set back since the last repair', -DAY_MS],
  ])('fences a grant that was lost with its log, by a clock %s', async (_, setByMs) => {
    const holder = { pid: 1, started: 's', instance: 'i' }
    const request = { key: 'k', holder, since: 7, note: {} }
    const old = open()
    await old.leases.release((await old.leases.acquire(request)).lease)
    old.close()
    // An earlier repair counts from the time of its clock on.
    if (setByMs !== 0) replaceJournal({ path: path(), clock })
    const before = open()
    await before.append(recordOf('z', 0))
    before.close()
    const kept = join(folder(), `kept-${setByMs}`)
    cpSync(dirname(path()), kept, { recursive: true })
    const later = open()
    const { lease } = await later.leases.acquire(request)
    later.close()
    // All records that the mark names are there, and the grant is not.
    rmSync(dirname(path()), { recursive: true })
    cpSync(kept, dirname(path()), { recursive: true })
    rmSync(`${path()}-shm`, { force: true })
    replaceJournal({ path: path(), clock: manualClock(clock.now() + setByMs) })
    const journal = open()
    const next = await journal.leases.acquire({ ...request, holder: { ...holder, instance: 'next' } })
    expect(next.granted).toBe(true)
    expect(next.lease.fence).toBeGreaterThan(lease.fence)
    expect(await refusalOf(() => journal.append(recordOf('k', 0), { lease }))).toBe('fenced')
    journal.close()
  })

  test('begins at the beginning where there was none', async () => {
    rmSync(dirname(path()), { recursive: true })
    expect(replaceJournal({ path: path(), clock })).toEqual({ aside: [], after: 0, receipts: 0, receiptsLost: 0 })
    const journal = open()
    expect((await journal.append(recordOf('a', 0))).seq).toBe(1)
    journal.close()
  })
})

describe('a WAL cut short', () => {
  const acknowledged = () => linesIn<{ seq: number }>(join(folder(), 'cut.log')).length
  const cut = () => join(folder(), 'cut', 'journal.db')
  beforeAll(async () => {
    await runProgram('journal-writer', [cut(), join(folder(), 'cut.log'), 'w', '200', '150', 'kept'])
  })
  beforeEach(() => {
    rmSync(dirname(path()), { recursive: true })
    mkdirSync(dirname(path()))
    cpSync(dirname(cut()), dirname(path()), { recursive: true })
    rmSync(`${path()}-shm`, { force: true })
  })

  test('as it was left by a kill is whole', async () => {
    const journal = open()
    expect(journal.head()).toBe(acknowledged())
    journal.close()
  })

  test.each([0.95, 0.5, 0.01, 0])(
    'to %d is truncated; the rest can be read and a new journal continues',
    async share => {
      cutTo(`${path()}-wal`, share)
      expect(await refusalOf(() => open())).toBe('truncated')
      expect(await refusalOf(() => open())).toBe('truncated')
      const rest = open(true)
      const left = rest.records({ limit: 10_000 })
      expect(left.length).toBeLessThan(acknowledged())
      if (share === 0.95) expect(left.length).toBeGreaterThan(acknowledged() / 2)
      rest.close()
      expect(exported().seqs).toEqual(left.map(({ seq }) => seq))
      expect(replaceJournal({ path: path(), clock }).after).toBe(acknowledged())
      const journal = open()
      expect((await journal.append(recordOf('a', 0))).seq).toBe(acknowledged() + 2)
      journal.close()
    },
  )
})
