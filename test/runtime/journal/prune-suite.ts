/** Retention of every journal. */
import { describe, expect, test } from 'vitest'
import { BODY_INLINE_BYTES } from '../../../src/contracts/limits/limits.ts'
import { receiptOf, recordOf, resultOf } from '../../support/runtime/records.ts'
import type { Bench } from './bench.ts'

const HOUR = 60 * 60 * 1_000
const DAY = 24 * HOUR
const ENDLESS = Number.MAX_SAFE_INTEGER
/** Kept apart from the rows that name it. */
const large = (text: string) => text.repeat(BODY_INLINE_BYTES)

export const pruneSuite = ({ journal }: Bench): void => {
  const now = 100 * DAY
  const keep7Days = { maxAgeMs: 7 * DAY, maxBytes: ENDLESS, now }
  const append = (actor: string, n: number, daysAgo: number, more: Parameters<typeof recordOf>[2] = {}) =>
    journal().append(recordOf(actor, n, { at: now - daysAgo * DAY, ...more }))
  const cover = (actor: string, n: number) =>
    journal().saveCheckpoint({ actor, n, seq: 1, version: 1, snapshot: { covered: n } })
  const left = (actor: string) =>
    journal()
      .records({ actor })
      .map(({ n }) => n)

  describe('prune', () => {
    test('takes old records that a checkpoint covers, and never the newest of an actor', async () => {
      for (let n = 0; n < 6; n++) await append('device:a', n, 20 - n, { body: large(`${n}`) })
      await append('device:a', 6, 1)
      await append('device:b', 0, 20)
      await append('device:b', 1, 1)
      for (let n = 0; n < 3; n++) await append('device:c', n, 20, { tags: ['in-flight'] })
      await cover('device:a', 4)
      await cover('device:c', 3)
      await append('device:d', 0, 0)
      expect(await journal().prune(keep7Days)).toMatchObject({ records: 6, bodies: 4, receipts: 0 })
      // Old but not covered: the next fold needs it.
      expect(left('device:a')).toEqual([4, 5, 6])
      expect(left('device:b')).toEqual([0, 1])
      expect(left('device:c')).toEqual([2])
      expect(journal().checkpoint('device:a')?.n).toBe(4)
      expect(await journal().prune(keep7Days)).toMatchObject({ records: 0, bodies: 0, receipts: 0 })
      expect((await journal().append(recordOf('device:c', 3))).n).toBe(3)
    })

    test('forgets actors that were left alone, unless their work is in flight', async () => {
      await append('skill-run:old', 0, 20, { body: large('old') })
      await append('skill-run:old', 1, 19, { body: large('shared') })
      await append('skill-run:open', 0, 20, { tags: ['in-flight'] })
      await append('skill-run:new', 0, 20)
      await append('skill-run:new', 1, 1, { body: large('shared') })
      await cover('skill-run:old', 1)
      expect(await journal().prune(keep7Days)).toMatchObject({ records: 2, bodies: 1 })
      expect(left('skill-run:old')).toEqual([])
      expect(journal().last('skill-run:old')).toBeUndefined()
      expect(journal().checkpoint('skill-run:old')).toBeUndefined()
      expect(left('skill-run:open')).toEqual([0])
      expect(left('skill-run:new')).toEqual([0, 1])
      expect(
        journal()
          .actors()
          .map(({ actor }) => actor),
      ).toEqual(['skill-run:new', 'skill-run:open'])
      // It may begin anew, from its first position.
      expect((await journal().append(recordOf('skill-run:old', 0))).seq).toBe(6)
    })

    test('keeps the newest record of the journal, so that no position is used twice', async () => {
      await append('a', 0, 20)
      await append('b', 0, 20)
      expect(await journal().prune(keep7Days)).toMatchObject({ records: 1 })
      expect(journal().head()).toBe(2)
      expect((await journal().append(recordOf('c', 0))).seq).toBe(3)
    })

    test('takes old receipts whose execution is decided, with their results', async () => {
      const receive = (n: number, daysAgo: number, receipt: ReturnType<typeof receiptOf>) =>
        journal().append(recordOf('a', n, { at: now - daysAgo * DAY }), { receipt })
      await receive(0, 20, receiptOf('e1', { state: 'settled', result: resultOf(large('one')) }))
      await receive(1, 20, receiptOf('e2', { state: 'dispatched' }))
      await receive(2, 20, receiptOf('e3', { state: 'interrupted' }))
      await receive(3, 20, receiptOf('e4'))
      await receive(4, 1, receiptOf('e5', { state: 'settled', acceptedAt: 1, result: resultOf(large('five')) }))
      await receive(5, 1, receiptOf('e4', { state: 'settled' }))
      expect(await journal().prune(keep7Days)).toMatchObject({ receipts: 2, bodies: 1 })
      expect(
        journal()
          .receipts()
          .map(({ executionId }) => executionId),
      ).toEqual(['e5', 'e4', 'e2'])
      expect(journal().receipt('e5')?.result).toEqual(resultOf(large('five')))
    })

    test('takes the oldest covered records first when it is too large', async () => {
      for (let n = 0; n < 900; n++) {
        const body = { n, text: 'x'.repeat(4_000) }
        await append(n % 2 ? 'a' : 'b', Math.floor(n / 2), 1, { body })
      }
      await cover('a', 400)
      await cover('b', 450)
      const { bytes, records, bodies } = await journal().prune({ ...keep7Days, maxBytes: 2_500_000 })
      expect(records).toBeGreaterThan(200)
      expect(records).toBeLessThan(700)
      expect(bodies).toBe(records)
      expect(bytes).toBeGreaterThan(800_000)
      expect(Math.abs((left('a')[0] ?? 0) - (left('b')[0] ?? 0))).toBeLessThanOrEqual(1)
      expect(left('a').at(-1)).toBe(449)

      expect((await journal().prune({ ...keep7Days, maxBytes: 0 })).records).toBe(400 + 449 - records)
      expect(left('a')).toHaveLength(50)
      expect(left('b')).toEqual([449])
    })

    test('takes decided receipts too when it is too large, and leaves the others', async () => {
      await journal().append(recordOf('a', 0), {
        receipt: receiptOf('e1', { state: 'settled', result: resultOf('x'.repeat(9_000)) }),
      })
      await journal().append(recordOf('a', 1), { receipt: receiptOf('e2', { state: 'dispatched' }) })
      expect(await journal().prune({ ...keep7Days, maxAgeMs: ENDLESS, maxBytes: 0 })).toMatchObject({
        records: 0,
        receipts: 1,
        bodies: 1,
      })
      expect(
        journal()
          .receipts()
          .map(({ executionId }) => executionId),
      ).toEqual(['e2'])
    })

    test('leaves the receipts of keys for a day, whatever the size', async () => {
      const idempotency = { key: 'k', payload: 'p' }
      const settle = (n: number, hours: number, more: Parameters<typeof receiptOf>[1]) =>
        journal().append(recordOf('a', n, { at: now - hours * HOUR }), {
          receipt: receiptOf(`e${n}`, { state: 'settled', result: resultOf('x'.repeat(9_000)), ...more }),
        })
      await settle(0, 25, { idempotency: { key: 'old', payload: 'p' } })
      await settle(1, 23, { idempotency })
      await settle(2, 1, {})
      await journal().prune({ maxAgeMs: HOUR, maxBytes: 0, now })
      expect(
        journal()
          .receipts()
          .map(({ executionId }) => executionId),
      ).toEqual(['e1'])
      expect(journal().receiptByKey('k')?.result).toEqual(resultOf('x'.repeat(9_000)))
    })

    test('leaves the receipts of the last minutes, whatever the size', async () => {
      const settle = (n: number, minutes: number) =>
        journal().append(recordOf('a', n, { at: now - minutes * 60_000 }), {
          receipt: receiptOf(`e${n}`, { state: 'settled', result: resultOf('x'.repeat(9_000)) }),
        })
      await settle(0, 6)
      await settle(1, 4)
      await journal().prune({ maxAgeMs: DAY, maxBytes: 0, now })
      expect(
        journal()
          .receipts()
          .map(({ executionId }) => executionId),
      ).toEqual(['e1'])
    })

    test('of an empty journal takes nothing', async () => {
      expect(await journal().prune(keep7Days)).toMatchObject({ records: 0, bodies: 0, receipts: 0, bytes: 0 })
    })
  })
}
