/** What every journal makes of an append. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { JournalRecord } from '../../../src/contracts/records/journal.ts'
import { leaseOf, receiptOf, recordOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import type { Bench } from './bench.ts'

export const appendSuite = ({ journal }: Bench): unknown =>
  describe('append', () => {
    test('gives back the record with its position in the whole journal', async () => {
      const event = {
        type: 'execution.requested',
        executionId: 'e1',
        params: { text: 'ü\u0000\ud83d\ude00', n: [1, null] },
      }
      const written = await journal().append(
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

    test('numbers all actors together', async () => {
      const actors = ['a', 'b', 'a', 'c', 'a']
      const n = new Map<string, number>()
      const written = actors.map(actor => {
        const next = n.get(actor) ?? 0
        n.set(actor, next + 1)
        return journal().append(recordOf(actor, next))
      })
      expect((await Promise.all(written)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
      expect(journal().head()).toBe(5)
    })

    test('refuses a position that is taken, and one that leaves a gap', async () => {
      await journal().append(recordOf('a', 0))
      expect(await refusalOf(() => journal().append(recordOf('a', 0)))).toBe('behind')
      expect(await refusalOf(() => journal().append(recordOf('a', 2)))).toBe('behind')
      expect(await refusalOf(() => journal().append(recordOf('b', 1)))).toBe('behind')
      expect(await refusalOf(() => journal().append(recordOf('b', -1)))).toBe('behind')
      expect((await journal().append(recordOf('a', 1))).seq).toBe(2)
      expect(journal().records()).toHaveLength(2)
    })

    test('keeps a body once, under the digest of its JSON', async () => {
      const body = { tree: 'x'.repeat(50_000), ключ: ['ü'] }
      const first = await journal().append(recordOf('a', 0, { body }))
      const second = await journal().append(recordOf('b', 0, { body: structuredClone(body) }))
      const other = await journal().append(recordOf('c', 0, { body: null }))
      expect(first.digest).toMatch(/^[0-9a-f]{64}$/)
      expect(second.digest).toBe(first.digest)
      expect(other.digest).not.toBe(first.digest)
      expect(journal().body(first)).toEqual(body)
      expect(journal().body(other)).toBeNull()
      expect(journal().body({ seq: 99, digest: '0'.repeat(64) })).toBeUndefined()
      expect(
        journal()
          .records()
          .map(({ digest }) => digest),
      ).toEqual([first.digest, second.digest, other.digest])
    })

    test('refuses what is not JSON and stays usable', async () => {
      const event = { type: 'x', big: 1n }
      expect(await refusalOf(() => journal().append(recordOf('a', 0, { event })))).toBe('failed')
      expect(await refusalOf(() => journal().append(recordOf('a', 0, { body: { big: 1n } })))).toBe('failed')
      expect((await journal().append(recordOf('a', 0))).seq).toBe(1)
    })

    test('writes the beginning of an actor with what follows, or neither', async () => {
      const earlier = [recordOf('a', 0, { event: { type: 'actor.created' } })]
      expect((await journal().append(recordOf('a', 1), { earlier })).seq).toBe(2)
      expect(journal().records()).toMatchObject([
        { seq: 1, n: 0, event: { type: 'actor.created' } },
        { seq: 2, n: 1 },
      ])
      expect(await refusalOf(() => journal().append(recordOf('a', 1), { earlier }))).toBe('behind')
      expect(await refusalOf(() => journal().begin(leaseOf(1), recordOf('a', 1), { earlier }))).toBe('behind')
      expect([journal().head(), journal().leases.list()]).toEqual([2, []])
    })

    test('is refused with a grant that is not the newest of its key', async () => {
      const grant = async (pid: number) =>
        (await journal().leases.acquire({ key: 'k', holder: { pid, started: 's', instance: 'i' }, since: 1, note: {} }))
          .lease
      expect(await refusalOf(() => journal().append(recordOf('a', 0), { lease: { key: 'k', fence: 1 } }))).toBe(
        'fenced',
      )
      const old = await grant(1)
      expect((await journal().append(recordOf('a', 0), { lease: old })).seq).toBe(1)
      await journal().leases.release(old)
      // Nobody else came: what the last holder still had to say may be said.
      expect((await journal().append(recordOf('a', 1), { lease: old })).seq).toBe(2)
      const young = await grant(2)
      const receipt = receiptOf('e1')
      const body = { large: true }
      expect(await refusalOf(() => journal().append(recordOf('a', 2, { body }), { lease: old, receipt }))).toBe(
        'fenced',
      )
      expect(journal().receipt('e1')).toBeUndefined()
      expect((await journal().append(recordOf('a', 2), { lease: young })).seq).toBe(3)
    })

    test('frees the grant that it ends, with the record or not at all', async () => {
      const { lease } = await journal().leases.acquire(leaseOf(1))
      expect(await refusalOf(() => journal().append(recordOf('a', 7), { lease, release: true }))).toBe('behind')
      expect(journal().leases.read('k')).toEqual(lease)
      expect((await journal().append(recordOf('a', 0), { lease, release: true })).seq).toBe(1)
      expect(journal().leases.read('k')).toBeUndefined()
    })
  })
