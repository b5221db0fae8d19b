/** What every journal must do, whatever it keeps its records in. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Troubles } from '../../../src/runtime/background-failures.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import type { Liveness } from '../../../src/runtime/ownership/ownership.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { recordOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import { leaseSuite } from '../ownership/suite.ts'
import { appendSuite } from './append-suite.ts'
import { beginSuite } from './begin-suite.ts'
import type { Bench } from './bench.ts'
import { pruneSuite } from './prune-suite.ts'
import { readingSuite } from './reading-suite.ts'
import { receiptSuite } from './receipt-suite.ts'
import { subscriptionSuite } from './subscription-suite.ts'

export type OpenForTest = (options: {
  alive: Liveness
  clock: Clock
  troubles: Pick<Troubles, 'tell' | 'over'>
}) => Journal

export const journalSuite = (name: string, open: OpenForTest): void => {
  describe(name, () => {
    let present: Journal
    let clock = manualClock()
    const dead = new Set<number>()
    const unseen = new Set<number>()
    const told: string[] = []
    beforeEach(() => {
      dead.clear()
      unseen.clear()
      told.length = 0
      clock = manualClock()
      const alive: Liveness = ({ pid }) => (unseen.has(pid) ? undefined : !dead.has(pid))
      const tell = (what: string, error: unknown) => void told.push(`${what}: ${String(error)}`)
      present = open({ alive, clock, troubles: { tell, over: () => {} } })
    })
    afterEach(() => present.close())
    const bench: Bench = { journal: () => present, dead, unseen, clock: () => clock, troubles: told }

    appendSuite(bench)
    beginSuite(bench)
    readingSuite(bench)
    receiptSuite(bench)
    checkpoints(bench)
    subscriptionSuite(bench)
    pruneSuite(bench)
    leaseSuite(bench)
    closing(bench)
  })
}

const checkpoints = ({ journal }: Bench) =>
  test('checkpoint: the one furthest on stays', async () => {
    const at = (n: number, snapshot: unknown) => ({ actor: 'a', n, seq: n, version: 1, snapshot })
    expect(journal().checkpoint('a')).toBeUndefined()
    await journal().saveCheckpoint(at(500, { value: 'idle', context: { ü: [1] } }))
    expect(journal().checkpoint('a')).toEqual(at(500, { value: 'idle', context: { ü: [1] } }))
    await journal().saveCheckpoint(at(400, 'older'))
    expect(journal().checkpoint('a')?.n).toBe(500)
    await journal().saveCheckpoint({ ...at(500, 'again'), version: 2 })
    expect(journal().checkpoint('a')).toMatchObject({ version: 2, snapshot: 'again' })
    await journal().saveCheckpoint(at(900, null))
    expect(journal().checkpoint('a')).toMatchObject({ n: 900, snapshot: null })
    expect(journal().checkpoint('b')).toBeUndefined()
  })

const closing = ({ journal }: Bench) =>
  test('after close every method is refused, and closing again is nothing', async () => {
    await journal().append(recordOf('a', 0))
    journal().close()
    journal().close()
    const holder = { pid: 1, started: 's', instance: 'i' }
    const methods: Record<string, () => unknown> = {
      append: () => journal().append(recordOf('a', 1)),
      begin: () => journal().begin({ key: 'k', holder, since: 1, note: {} }, recordOf('a', 1)),
      records: () => journal().records(),
      last: () => journal().last('a'),
      actors: () => journal().actors(),
      withTag: () => journal().withTag('t'),
      body: () => journal().body({ seq: 1, digest: 'x' }),
      head: () => journal().head(),
      checkpoint: () => journal().checkpoint('a'),
      saveCheckpoint: () => journal().saveCheckpoint({ actor: 'a', n: 1, seq: 1, version: 1, snapshot: {} }),
      receipt: () => journal().receipt('e1'),
      receipts: () => journal().receipts(),
      receiptIds: () => journal().receiptIds(),
      subscribe: () => journal().subscribe(() => {}),
      'subscribe after': () => journal().subscribe(() => {}, { after: 0 }),
      prune: () => journal().prune({ maxAgeMs: 1, maxBytes: 1, now: 1 }),
      acquire: () => journal().leases.acquire({ key: 'k', holder, since: 1, note: {} }),
      release: () => journal().leases.release({ key: 'k', fence: 1 }),
      renew: () => journal().leases.renew([{ key: 'k', fence: 1 }]),
      read: () => journal().leases.read('k'),
      owner: () => journal().leases.owner('k'),
      list: () => journal().leases.list(),
    }
    for (const [name, method] of Object.entries(methods))
      expect([name, await refusalOf(method)]).toEqual([name, 'closed'])
  })
