/** A repair takes the receipts and the keys along: what was asked for a minute ago does not run again after it. */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BODY_INLINE_BYTES, IDEMPOTENCY_KEEP_MS, LEASE_EXPIRES_MS } from '../../../src/contracts/limits/limits.ts'
import { createTroubles } from '../../../src/runtime/background-failures.ts'
import { checkJournal } from '../../../src/runtime/journal/check.ts'
import type { StoredReceipt } from '../../../src/runtime/journal/journal.ts'
import { replaceJournal } from '../../../src/runtime/journal/repair.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { kindOf, overwrite, PAGE_BYTES, pagesOf, tamper } from '../../support/runtime/damage.ts'
import { receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import { temporary } from '../../support/temporary.ts'

const folder = temporary('svc-repair-')
let made = 0
const keyOf = (id: string) => ({ key: `key-${id}`, payload: `payload-${id}` })

const setup = async (settled: Record<string, string>, open: readonly string[] = []) => {
  const path = join(folder(), `${made++}`, 'journal.db')
  const clock = manualClock()
  const journal = openJournal({ path, alive: () => true, clock })
  let n = 0
  const keep = (receipt: StoredReceipt) => journal.append(recordOf('device:d1', n++), { receipt })
  const acceptedAt = clock.now()
  for (const id of [...Object.keys(settled), ...open]) await keep(receiptOf(id, { acceptedAt, idempotency: keyOf(id) }))
  for (const [id, message] of Object.entries(settled)) {
    const result = resultOf(message)
    await keep(receiptOf(id, { acceptedAt, idempotency: keyOf(id), state: 'settled', settledAt: acceptedAt, result }))
  }
  const receipts = journal.receipts({ limit: 1_000 })
  journal.close()
  const repaired = () => {
    const told = replaceJournal({ path, clock })
    expect(checkJournal({ path, clock }).seq).toBeGreaterThan(0)
    const next = openJournal({ path, alive: () => true, clock })
    const again = (id: string) =>
      refusalOf(() =>
        next.append(recordOf('device:d1', 0), {
          receipt: receiptOf(`${id}-again`, { acceptedAt: clock.now(), idempotency: keyOf(id) }),
        }),
      )
    return { told, next, again }
  }
  return { path, clock, receipts, repaired }
}

test('receipts come along with their results and keys, whatever else is damaged', async () => {
  const { path, receipts, repaired } = await setup({ small: 'done', large: 'ä'.repeat(BODY_INLINE_BYTES) })
  tamper(path, "UPDATE records SET fact = x'0001' WHERE seq = 2")
  const { told, next, again } = repaired()
  expect(told).toMatchObject({ receipts: 2, receiptsLost: 0 })
  expect(next.receipts({ limit: 10 })).toEqual(receipts)
  expect([await again('small'), await again('large')]).toEqual(['key-used', 'key-used'])
  expect(next.receiptByKey('key-large')?.result).toEqual(resultOf('ä'.repeat(BODY_INLINE_BYTES)))
  expect(next.receiptIds({ deviceId: 'd1' })).toHaveLength(2)
  next.close()
})

test('a lease that was renewed of late counts as renewed by the repair, for whoever cannot see its holder', async () => {
  const { path, clock, repaired } = await setup({ small: 'done' })
  const open = () => openJournal({ path, alive: () => undefined, clock })
  const before = open()
  const holder = { pid: 1, started: 's1', instance: 'i1' }
  const { lease } = await before.leases.acquire({ key: 'device:d1', holder, since: clock.now(), note: {} })
  clock.advance(2 * LEASE_EXPIRES_MS)
  await before.leases.renew([lease])
  before.close()
  repaired().next.close()
  const after = open()
  expect(after.leases.owner('device:d1')).toMatchObject({ key: 'device:d1', holder })
  clock.advance(LEASE_EXPIRES_MS)
  expect(after.leases.owner('device:d1')).toBeUndefined()
  after.close()
})

test('what is in doubt is told as interrupted, and does not run again', async () => {
  const { path, repaired } = await setup({ row: 'done', body: 'x'.repeat(2 * BODY_INLINE_BYTES) }, ['running'])
  tamper(path, "UPDATE receipts SET fact = x'0001' WHERE id = 'row'; UPDATE bodies SET json = x'7b7d'")
  const { told, next, again } = repaired()
  expect(told).toMatchObject({ receipts: 3, receiptsLost: 0 })
  for (const id of ['row', 'body', 'running']) {
    expect([id, await again(id)]).toEqual([id, 'key-used'])
    expect(next.receiptByKey(`key-${id}`)).toMatchObject({
      state: 'interrupted',
      result: { ok: false, error: { code: 'EXECUTION_INTERRUPTED', details: { dispatched: true } } },
    })
  }
  next.close()
})

test('a page of receipts that is gone keeps its keys taken', async () => {
  const ids = Array.from({ length: 200 }, (_, index) => `e${index}`)
  const { path, repaired } = await setup(Object.fromEntries(ids.map(id => [id, 'x'.repeat(200)])))
  const leaves = [...Array(pagesOf(path)).keys()].filter(page => page > 0 && kindOf(path, page) === 0x0d)
  for (const page of leaves) overwrite(path, page, Buffer.alloc(PAGE_BYTES, 'noise'))
  const { told, next, again } = repaired()
  expect(told).toMatchObject({ receipts: 200, receiptsLost: 0 })
  for (const id of ['e0', 'e99', 'e199']) expect(await again(id)).toBe('key-used')
  next.close()
})

/** The log as it was before its records were brought into the file. */
const withLog = async (path: string, harm: (wal: Buffer) => Buffer) => {
  const clock = manualClock()
  const copy = join(folder(), `${made++}`, 'journal.db')
  const journal = openJournal({ path, alive: () => true, clock })
  const acceptedAt = clock.now()
  for (let n = 0; n < 20; n++) {
    await journal.append(recordOf('device:d2', n), {
      receipt: receiptOf(`w${n}`, { acceptedAt, idempotency: keyOf(`w${n}`) }),
    })
  }
  cpSync(dirname(path), dirname(copy), { recursive: true })
  journal.close()
  writeFileSync(`${copy}-wal`, harm(readFileSync(`${copy}-wal`)))
  return { copy, clock }
}

test.each<[string, (path: string) => void]>([
  ['whose header is gone', path => overwrite(path, 0, Buffer.alloc(100))],
  [
    'whose header is noise beside an empty log',
    path => {
      overwrite(path, 0, Buffer.alloc(100, 'noise'))
      rmSync(`${path}-wal`, { force: true })
    },
  ],
])('a file %s gives up all of its receipts', async (_, harm) => {
  const { path, receipts, repaired } = await setup({ small: 'done', large: 'ä'.repeat(BODY_INLINE_BYTES) })
  tamper(path, 'PRAGMA wal_checkpoint(TRUNCATE)')
  harm(path)
  const { told, next, again } = repaired()
  expect(told).toMatchObject({ receipts: 2, receiptsLost: 0 })
  expect(next.receipts({ limit: 10 })).toEqual(receipts)
  expect(await again('large')).toBe('key-used')
  next.close()
})

test.each<[string, (path: string) => void]>([
  ['cut to nothing', path => truncateSync(path)],
  ['that was removed', path => rmSync(path)],
])('a file %s beside a whole log gives up what the log has', async (_, harm) => {
  const { copy, clock } = await withLog(join(folder(), `${made++}`, 'journal.db'), wal => wal)
  harm(copy)
  expect(replaceJournal({ path: copy, clock })).toMatchObject({ receipts: 20, receiptsLost: null })
  expect(readdirSync(dirname(copy)).filter(name => name.includes('salvage'))).toEqual([])
})

describe('where nobody can count the receipts that are lost', () => {
  const noted = (path: string, clock: ReturnType<typeof manualClock>) => {
    const troubles = createTroubles({ clock, note: () => {} })
    const journal = openJournal({ path, alive: () => true, clock, troubles, hasUpkeep: true })
    const before = troubles.list().map(({ message }) => message)
    clock.advance(IDEMPOTENCY_KEEP_MS)
    journal.close()
    return { before, after: troubles.list() }
  }

  test('a file of which nothing can be read: null, told for as long as a key is kept', async () => {
    const { path, clock, repaired } = await setup({ small: 'done' })
    writeFileSync(path, Buffer.alloc(PAGE_BYTES, 'noise'))
    const { told, next } = repaired()
    next.close()
    expect(told).toMatchObject({ receipts: 0, receiptsLost: null })
    const since = clock.now()
    expect(checkJournal({ path, clock })).toMatchObject({ keysUnknownBefore: since })
    const { before, after } = noted(path, clock)
    expect(before).toEqual([expect.stringContaining(new Date(since).toISOString())])
    expect(after).toEqual([])
    expect(checkJournal({ path, clock }).keysUnknownBefore).toBeUndefined()
  })

  test('the newest records are gone with their log: null', async () => {
    const { path } = await setup({ small: 'done' })
    const { copy, clock } = await withLog(path, wal => wal.subarray(0, wal.length / 2))
    expect(replaceJournal({ path: copy, clock }).receiptsLost).toBeNull()
    expect(checkJournal({ path: copy, clock }).keysUnknownBefore).toBe(clock.now())
  })

  test('all receipts came along: 0, and nothing is told', async () => {
    const { path, clock, repaired } = await setup({ small: 'done' })
    tamper(path, "UPDATE records SET fact = x'0001' WHERE seq = 1")
    const { told, next } = repaired()
    next.close()
    expect(told.receiptsLost).toBe(0)
    expect(noted(path, clock)).toEqual({ before: [], after: [] })
  })

  test('a journal that was removed by somebody: the new one says so too', async () => {
    const { path, clock } = await setup({ small: 'done' })
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
    openJournal({ path, alive: () => true, clock }).close()
    expect(noted(path, clock).before).toHaveLength(1)
  })
})
