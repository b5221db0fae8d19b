/** What every journal must do, whatever it keeps its records in. */

import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { JournalRecord } from '../../../src/contracts/journal.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import type { Liveness } from '../../../src/runtime/lease/lease.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { receiptOf, recordOf, resultOf } from '../../support/records.ts'
import { refusalOf } from '../../support/refusal.ts'
import { leaseSuite } from '../lease/suite.ts'
import { pruneSuite } from './prune-suite.ts'
import { subscriptionSuite } from './subscription-suite.ts'

export type OpenForTest = (options: { alive: Liveness; clock: Clock }) => Journal

/** What the parts of the suite share: a fresh journal in each test, and who is alive. */
export interface Bench {
  journal(): Journal
  dead: Set<number>
}

export const journalSuite = (name: string, open: OpenForTest): void => {
  describe(name, () => {
    let present: Journal
    const dead = new Set<number>()
    beforeEach(() => {
      dead.clear()
      present = open({ alive: holder => !dead.has(holder.pid), clock: manualClock() })
    })
    afterEach(() => present.close())
    const bench: Bench = { journal: () => present, dead }

    appending(bench)
    reading(bench)
    receipts(bench)
    checkpoints(bench)
    subscriptionSuite(bench)
    pruneSuite(bench)
    leaseSuite(bench)
    closing(bench)
  })
}

const appending = ({ journal }: Bench) =>
  describe('append', () => {
    test('gives back the record with its position in the whole journal', () => {
      const event = {
        type: 'execution.requested',
        executionId: 'e1',
        params: { text: 'ü\u0000\ud83d\ude00', n: [1, null] },
      }
      const written = journal().append(
        recordOf('device:a', 0, { event, tags: ['in-flight', 'x'], from: '', to: 'idle' }),
      )
      expect(written).toEqual({
        seq: 1,
        actor: 'device:a',
        n: 0,
        machine: 'device',
        version: 1,
        at: 1_000,
        event,
        digest: null,
        from: '',
        to: 'idle',
        tags: ['in-flight', 'x'],
      })
      expect(journal().last('device:a')).toEqual(written)
      expect(v.parse(JournalRecord, journal().records()[0])).toEqual(written)
    })

    test('numbers all actors together', () => {
      const actors = ['a', 'b', 'a', 'c', 'a']
      const n = new Map<string, number>()
      const seqs = actors.map(actor => {
        const next = n.get(actor) ?? 0
        n.set(actor, next + 1)
        return journal().append(recordOf(actor, next)).seq
      })
      expect(seqs).toEqual([1, 2, 3, 4, 5])
      expect(journal().head()).toBe(5)
    })

    test('refuses a position that is taken, and one that leaves a gap', () => {
      journal().append(recordOf('a', 0))
      expect(refusalOf(() => journal().append(recordOf('a', 0)))).toBe('behind')
      expect(refusalOf(() => journal().append(recordOf('a', 2)))).toBe('behind')
      expect(refusalOf(() => journal().append(recordOf('b', 1)))).toBe('behind')
      expect(refusalOf(() => journal().append(recordOf('b', -1)))).toBe('behind')
      expect(journal().append(recordOf('a', 1)).seq).toBe(2)
      expect(journal().records()).toHaveLength(2)
    })

    test('keeps a body once, under the digest of its JSON', () => {
      const body = { tree: 'x'.repeat(50_000), ключ: ['ü'] }
      const first = journal().append(recordOf('a', 0, { body }))
      const second = journal().append(recordOf('b', 0, { body: structuredClone(body) }))
      const other = journal().append(recordOf('c', 0, { body: null }))
      expect(first.digest).toMatch(/^[0-9a-f]{64}$/)
      expect(second.digest).toBe(first.digest)
      expect(other.digest).not.toBe(first.digest)
      expect(journal().body(String(first.digest))).toEqual(body)
      expect(journal().body(String(other.digest))).toBeNull()
      expect(journal().body('0'.repeat(64))).toBeUndefined()
      expect(
        journal()
          .records()
          .map(({ digest }) => digest),
      ).toEqual([first.digest, second.digest, other.digest])
    })

    test('refuses what is no JSON and stays usable', () => {
      const event = { type: 'x', big: 1n }
      expect(refusalOf(() => journal().append(recordOf('a', 0, { event })))).toBe('failed')
      expect(refusalOf(() => journal().append(recordOf('a', 0, { body: { big: 1n } })))).toBe('failed')
      expect(journal().append(recordOf('a', 0)).seq).toBe(1)
    })

    test('is refused with a grant that is not the newest of its key', () => {
      const grant = (pid: number) =>
        journal().leases.acquire({ key: 'k', holder: { pid, started: 's', instance: 'i' }, since: 1, note: {} }).lease
      expect(refusalOf(() => journal().append(recordOf('a', 0), { lease: { key: 'k', fence: 1 } }))).toBe('fenced')
      const old = grant(1)
      expect(journal().append(recordOf('a', 0), { lease: old }).seq).toBe(1)
      journal().leases.release(old)
      // Nobody else came: what the last holder still had to say may be said.
      expect(journal().append(recordOf('a', 1), { lease: old }).seq).toBe(2)
      const young = grant(2)
      const receipt = receiptOf('e1')
      const body = { large: true }
      expect(refusalOf(() => journal().append(recordOf('a', 2, { body }), { lease: old, receipt }))).toBe('fenced')
      expect(journal().receipt('e1')).toBeUndefined()
      expect(journal().append(recordOf('a', 2), { lease: young, durable: true }).seq).toBe(3)
    })
  })

const reading = ({ journal }: Bench) =>
  describe('records', () => {
    const fill = () => {
      for (let n = 0; n < 4; n++) {
        journal().append(recordOf('a', n))
        journal().append(recordOf('b', n, { machine: 'skill-run', tags: n === 3 ? ['in-flight'] : [] }))
      }
    }
    const seqs = (query: Parameters<Journal['records']>[0]) =>
      journal()
        .records(query)
        .map(({ seq }) => seq)

    test('come oldest first, by actor, machine, position and number', () => {
      fill()
      expect(seqs({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      expect(seqs({ actor: 'a' })).toEqual([1, 3, 5, 7])
      expect(seqs({ machine: 'skill-run' })).toEqual([2, 4, 6, 8])
      expect(seqs({ actor: 'a', machine: 'skill-run' })).toEqual([])
      expect(seqs({ after: 5 })).toEqual([6, 7, 8])
      expect(seqs({ after: 2, actor: 'a' })).toEqual([3, 5, 7])
      expect(seqs({ actor: 'a', fromN: 2 })).toEqual([5, 7])
      expect(seqs({ actor: 'a', fromN: 1, after: 3, limit: 1 })).toEqual([5])
      expect(seqs({ limit: 3 })).toEqual([1, 2, 3])
      expect(seqs({ limit: 0 })).toEqual([])
      expect(seqs({ actor: 'nobody' })).toEqual([])
    })

    test('come at most a thousand at a time unless told otherwise', () => {
      for (let n = 0; n < 1_002; n++) journal().append(recordOf('a', n))
      expect(journal().records()).toHaveLength(1_000)
      expect(journal().records({ limit: 1_001 })).toHaveLength(1_001)
      expect(seqs({ after: 1_000 })).toEqual([1_001, 1_002])
    })

    test('are the caller’s own: changing them changes nothing', () => {
      fill()
      const mine = journal().records({ limit: 1 })[0]
      if (mine) mine.event.type = 'changed'
      expect(journal().records({ limit: 1 })[0]?.event.type).toBe('thing.happened')
    })

    test('of an empty journal are none', () => {
      expect(journal().head()).toBe(0)
      expect(journal().records()).toEqual([])
      expect(journal().last('a')).toBeUndefined()
      expect(journal().actors()).toEqual([])
    })

    test('show each actor by its newest one, newest first', () => {
      fill()
      journal().append(recordOf('c', 0, { tags: ['in-flight', 'other'] }))
      const names = (query?: Parameters<Journal['actors']>[0]) =>
        journal()
          .actors(query)
          .map(({ actor, n }) => [actor, n])
      expect(names()).toEqual([
        ['c', 0],
        ['b', 3],
        ['a', 3],
      ])
      expect(names({ machine: 'device' })).toEqual([
        ['c', 0],
        ['a', 3],
      ])
      expect(names({ tag: 'in-flight' })).toEqual([
        ['c', 0],
        ['b', 3],
      ])
      expect(names({ tag: 'flight' })).toEqual([])
      expect(names({ tag: 'in-flight', machine: 'skill-run' })).toEqual([['b', 3]])
      expect(names({ limit: 2 })).toEqual([
        ['c', 0],
        ['b', 3],
      ])
      journal().append(recordOf('c', 1))
      expect(names({ tag: 'in-flight' })).toEqual([['b', 3]])
      journal().append(recordOf('a', 4, { tags: ['in-flight'] }))
      expect(names({ tag: 'in-flight' })).toEqual([
        ['a', 4],
        ['b', 3],
      ])
    })
  })

const receipts = ({ journal }: Bench) =>
  describe('receipts', () => {
    let n = 0
    beforeEach(() => {
      n = 0
    })
    const keep = (...given: Parameters<typeof receiptOf>) =>
      journal().append(recordOf('a', n++), { receipt: receiptOf(...given) })

    test('are replaced by the newest word on the same execution', () => {
      keep('e1')
      expect(journal().receipt('e1')).toEqual(receiptOf('e1'))
      keep('e1', { state: 'dispatched', dispatchedAt: 2_000 })
      const settled = receiptOf('e1', {
        state: 'settled',
        dispatchedAt: 2_000,
        settledAt: 3_000,
        result: resultOf('late'),
      })
      journal().append(recordOf('a', n++, { body: settled.result }), { receipt: settled })
      expect(journal().receipt('e1')).toEqual(settled)
      expect(journal().receipts()).toEqual([settled])
      expect(journal().receipt('e2')).toBeUndefined()
    })

    test('are found by device, command and skill run, newest accepted first', () => {
      keep('e1', { deviceId: 'd1', commandId: 'c1' })
      keep('e2', { deviceId: 'd2', commandId: 'c1', skillRunId: 'r1' })
      keep('e3', { deviceId: 'd1', commandId: 'c2', skillRunId: 'r1', result: resultOf('x') })
      keep('e1', { deviceId: 'd1', commandId: 'c1', state: 'settled' })
      const ids = (query?: Parameters<Journal['receipts']>[0]) =>
        journal()
          .receipts(query)
          .map(found => found.executionId)
      expect(ids()).toEqual(['e3', 'e2', 'e1'])
      expect(ids({ deviceId: 'd1' })).toEqual(['e3', 'e1'])
      expect(ids({ commandId: 'c1' })).toEqual(['e2', 'e1'])
      expect(ids({ skillRunId: 'r1' })).toEqual(['e3', 'e2'])
      expect(ids({ skillRunId: 'r1', deviceId: 'd1', commandId: 'c2' })).toEqual(['e3'])
      expect(ids({ deviceId: 'none' })).toEqual([])
      expect(ids({ limit: 1 })).toEqual(['e3'])
      expect(journal().receipts({ skillRunId: 'r1' })[0]).toEqual(
        receiptOf('e3', { commandId: 'c2', skillRunId: 'r1', result: resultOf('x') }),
      )
    })

    test('come at most fifty at a time unless told otherwise', () => {
      for (let i = 0; i < 52; i++) keep(`e${i}`)
      expect(journal().receipts()).toHaveLength(50)
      expect(journal().receipts({ limit: 60 })).toHaveLength(52)
    })

    test('are not written when their record is refused', () => {
      keep('e1')
      const changed = receiptOf('e1', { state: 'settled' })
      expect(refusalOf(() => journal().append(recordOf('a', 7), { receipt: changed }))).toBe('behind')
      expect(journal().receipt('e1')?.state).toBe('accepted')
    })

    test('give up the result that they no longer name', () => {
      keep('e1', { result: resultOf('first') })
      const { digest } = journal().append(recordOf('b', 0, { body: resultOf('first') }))
      keep('e1', { result: resultOf('second') })
      expect(journal().body(String(digest))).toEqual(resultOf('first'))
      const second = journal().append(recordOf('b', 1, { body: resultOf('second') }))
      expect(journal().receipt('e1')?.result).toEqual(journal().body(String(second.digest)))
    })
  })

const checkpoints = ({ journal }: Bench) =>
  test('checkpoint: the one furthest on stays', () => {
    const at = (n: number, snapshot: unknown) => ({ actor: 'a', n, seq: n, version: 1, snapshot })
    expect(journal().checkpoint('a')).toBeUndefined()
    journal().saveCheckpoint(at(500, { value: 'idle', context: { ü: [1] } }))
    expect(journal().checkpoint('a')).toEqual(at(500, { value: 'idle', context: { ü: [1] } }))
    journal().saveCheckpoint(at(400, 'older'))
    expect(journal().checkpoint('a')?.n).toBe(500)
    journal().saveCheckpoint({ ...at(500, 'again'), version: 2 })
    expect(journal().checkpoint('a')).toMatchObject({ version: 2, snapshot: 'again' })
    journal().saveCheckpoint(at(900, null))
    expect(journal().checkpoint('a')).toMatchObject({ n: 900, snapshot: null })
    expect(journal().checkpoint('b')).toBeUndefined()
  })

const closing = ({ journal }: Bench) =>
  test('after close every method is refused, and closing again is nothing', () => {
    journal().append(recordOf('a', 0))
    journal().close()
    journal().close()
    const holder = { pid: 1, started: 's', instance: 'i' }
    const methods: Record<string, () => unknown> = {
      append: () => journal().append(recordOf('a', 1)),
      records: () => journal().records(),
      last: () => journal().last('a'),
      actors: () => journal().actors(),
      body: () => journal().body('x'),
      head: () => journal().head(),
      checkpoint: () => journal().checkpoint('a'),
      saveCheckpoint: () => journal().saveCheckpoint({ actor: 'a', n: 1, seq: 1, version: 1, snapshot: {} }),
      receipt: () => journal().receipt('e1'),
      receipts: () => journal().receipts(),
      subscribe: () => journal().subscribe(() => {}),
      'subscribe after': () => journal().subscribe(() => {}, { after: 0 }),
      prune: () => journal().prune({ maxAgeMs: 1, maxBytes: 1, now: 1 }),
      acquire: () => journal().leases.acquire({ key: 'k', holder, since: 1, note: {} }),
      release: () => journal().leases.release({ key: 'k', fence: 1 }),
      read: () => journal().leases.read('k'),
      list: () => journal().leases.list(),
    }
    for (const [name, method] of Object.entries(methods)) expect([name, refusalOf(method)]).toEqual([name, 'closed'])
  })
