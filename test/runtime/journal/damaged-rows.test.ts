/** One row that cannot be read costs what is in it: not the list of actors, nor what listeners hear of the others. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineJournal } from '../../../src/runtime/journal/check.ts'
import { recordsAfter } from '../../../src/runtime/journal/reading.ts'
import { openJournal } from '../../../src/runtime/journal/sqlite.ts'
import { eachRecord } from '../../../src/runtime/transitions.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { kindOf, overwrite, PAGE_BYTES, pagesOf, tamper } from '../../support/runtime/damage.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { temporary } from '../../support/temporary.ts'
import { until } from '../../support/until.ts'

const folder = temporary('svc-damaged-rows-')
let made = 0

const setup = async (counts: Record<string, number>, tags: readonly string[] = []) => {
  const path = join(folder(), `journal-${made++}`, 'journal.db')
  const troubles: string[] = []
  const open = () =>
    openJournal({
      path,
      alive: () => true,
      clock: manualClock(),
      troubles: { tell: what => void troubles.push(what), over: () => {} },
    })
  const journal = open()
  for (const [actor, count] of Object.entries(counts)) {
    for (let n = 0; n < count; n++) await journal.append(recordOf(actor, n, { tags, event: { type: 'x'.repeat(80) } }))
  }
  journal.close()
  return { path, open, troubles }
}

const damageRow = (path: string, seq: number) => tamper(path, `UPDATE records SET fact = x'0001' WHERE seq = ${seq}`)

test('a damaged record hides its own actor from the list, and no other', async () => {
  const { path, open, troubles } = await setup({ a: 2, b: 2, c: 1 }, ['in-flight'])
  damageRow(path, 4)
  const journal = open()
  expect(journal.actors().map(({ actor }) => actor)).toEqual(['c', 'a'])
  expect(journal.withTag('in-flight').map(({ actor }) => actor)).toEqual(['a', 'b', 'c'])
  expect(troubles).toContain('the journal has a damaged record')
  expect(() => journal.records({ actor: 'b' }), 'a state is never folded over a hole').toThrow('lost its content')
  journal.close()
})

test('listeners and readers hear of its position, and of all other records', async () => {
  const { path, open } = await setup({ a: 600 })
  damageRow(path, 300)
  damageRow(path, 301)
  const journal = open()
  const heard: number[] = []
  const lost: unknown[] = []
  journal.subscribe(
    eachRecord(({ seq, event }) =>
      event.type === 'journal.lost' ? lost.push([event.from, event.to]) : heard.push(seq),
    ),
    { after: 0 },
  )
  await journal.append(recordOf('a', 600))
  await until(() => heard.at(-1) === 601, 'the newest record')
  expect(heard).toHaveLength(599)
  expect(lost).toEqual([
    [300, 300],
    [301, 301],
  ])
  const read = [...recordsAfter(journal, 0, { actor: 'a' })]
  expect(read.filter(({ actor }) => actor === 'a').map(({ seq }) => seq)).toEqual(heard)
  journal.close()
})

test('a page that SQLite cannot read costs the records on it', async () => {
  const { path, open } = await setup({ a: 900 })
  const leaves = [...Array(pagesOf(path)).keys()].filter(page => page > 0 && kindOf(path, page) === 0x0d)
  overwrite(path, leaves[Math.floor(leaves.length / 2)] ?? 1, Buffer.alloc(PAGE_BYTES, 'noise'))
  const journal = open()
  const read = [...recordsAfter(journal, 0, {})]
  const seqs = read.filter(({ actor }) => actor === 'a').map(({ seq }) => seq)
  expect(seqs.length).toBeGreaterThan(850)
  expect(seqs.length).toBeLessThan(900)
  expect(seqs.at(-1)).toBe(900)
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
  const lost = read.filter(({ event }) => event.type === 'journal.lost')
  expect(lost.reduce((sum, { event }) => sum + Number(event.to) - Number(event.from) + 1, 0)).toBe(900 - seqs.length)
  expect(journal.actors().length).toBeLessThanOrEqual(1)
  journal.close()
})

test.each([
  ['holder', "fact = x'0001'"],
  ['fence', 'fence = 0'],
])('the check of a journal finds a lease whose %s cannot be read', async (_, damage) => {
  const { path, open } = await setup({ a: 1 })
  const journal = open()
  const holder = { pid: 1, started: 's', instance: 'i' }
  await journal.leases.acquire({ key: 'device:a', holder, since: 1, note: {} })
  const freed = await journal.leases.acquire({ key: 'device:b', holder, since: 1, note: {} })
  await journal.leases.release(freed.lease)
  journal.close()
  expect(examineJournal({ path, clock: manualClock() })).toMatchObject({ state: 'in order' })
  tamper(path, `UPDATE leases SET ${damage} WHERE key = 'device:a'`)
  expect(examineJournal({ path, clock: manualClock() })).toMatchObject({
    state: 'faulty',
    error: { reason: 'corrupt' },
  })
})

test('the check of a journal finds a damaged record, however many are before it', async () => {
  const { path, open } = await setup({ a: 600 })
  open().close()
  expect(examineJournal({ path, clock: manualClock() })).toMatchObject({ state: 'in order', seq: 600 })
  damageRow(path, 599)
  expect(examineJournal({ path, clock: manualClock() })).toMatchObject({
    state: 'faulty',
    error: { reason: 'corrupt' },
  })
})
