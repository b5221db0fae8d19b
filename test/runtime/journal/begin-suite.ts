/** Beginning owned work, in every journal: the key and the first record together, or neither. */
import { describe, expect, test } from 'vitest'
import type { Ownership } from '../../../src/contracts/records/journal.ts'
import { JournalError } from '../../../src/runtime/journal/fault.ts'
import { leaseOf, receiptOf, recordOf } from '../../support/runtime/records.ts'
import { refusalOf } from '../../support/runtime/refusal.ts'
import type { Bench } from './bench.ts'

export const beginSuite = ({ journal, dead }: Bench): unknown =>
  describe('begin', () => {
    test('takes the key and writes the record', async () => {
      const receipt = receiptOf('e1')
      const begun = await journal().begin(leaseOf(1), recordOf('a', 0, { body: { large: true } }), { receipt })
      expect(begun).toMatchObject({ granted: true, record: { seq: 1, actor: 'a', n: 0 } })
      expect(journal().leases.read('k')).toEqual(begun.lease)
      expect(journal().records()).toEqual(begun.granted ? [begun.record] : [])
      expect(journal().receipt('e1')).toEqual(receipt)
      expect((await journal().append(recordOf('a', 1), { lease: begun.lease })).seq).toBe(2)
    })

    test('writes nothing while another owner lives, and says who', async () => {
      const { lease } = await journal().leases.acquire(leaseOf(1))
      expect(await journal().begin(leaseOf(2), recordOf('a', 0))).toEqual({ granted: false, lease })
      expect(journal().records()).toEqual([])
      dead.add(1)
      expect(await journal().begin(leaseOf(2), recordOf('a', 0))).toMatchObject({ granted: true, record: { seq: 1 } })
      expect(await refusalOf(() => journal().append(recordOf('a', 1), { lease }))).toBe('fenced')
    })

    test('settles an actor only under the key it is owned by, whatever key was asked for', async () => {
      const owned = { ...leaseOf(1), key: 'serial', note: { actor: 'a' } }
      const { lease } = await journal().begin(owned, recordOf('a', 0))
      const settle = () => journal().begin({ ...leaseOf(2), key: 'a' }, recordOf('a', 1), { settles: true })
      expect(await settle()).toEqual({ granted: false, lease })
      dead.add(1)
      expect(await settle()).toMatchObject({ granted: true, lease: { key: 'serial', fence: lease.fence + 1 } })
      expect(journal().leases.list()).toEqual([])
    })

    test('is refused by the lease that stands in the way, and by the lack of the one that it depends on', async () => {
      const unless = (owner: (key: string) => Ownership | undefined) => owner('reserved')
      const needs = (owner: (key: string) => Ownership | undefined) => {
        if (!owner('reserved')) throw new JournalError('unheld', 'it is not held')
        return undefined
      }
      const refused = await refusalOf(() => journal().begin({ ...leaseOf(1), unless: needs }, recordOf('a', 0)))
      expect([refused, journal().leases.list(), journal().records()]).toEqual(['unheld', [], []])
      const { lease } = await journal().leases.acquire({ ...leaseOf(3), key: 'reserved' })
      const refusal = { granted: false, lease }
      expect(await journal().begin({ ...leaseOf(1), unless }, recordOf('a', 0))).toEqual(refusal)
      expect(await journal().leases.acquire({ ...leaseOf(1), unless })).toEqual(refusal)
      expect([journal().leases.list(), journal().records()]).toEqual([[lease], []])
      expect((await journal().begin({ ...leaseOf(1), unless: needs }, recordOf('a', 0))).granted).toBe(true)
      // Whatever else is owned, the work of the dead is settled.
      dead.add(1)
      expect(await journal().begin({ ...leaseOf(2), unless }, recordOf('a', 1), { settles: true })).toMatchObject({
        granted: true,
      })
      dead.add(3)
      expect((await journal().begin({ ...leaseOf(2), unless }, recordOf('a', 2))).granted).toBe(true)
    })

    test('takes nothing when the record is refused', async () => {
      await journal().append(recordOf('a', 0))
      expect(await refusalOf(() => journal().begin(leaseOf(1), recordOf('a', 0)))).toBe('behind')
      expect(await refusalOf(() => journal().begin(leaseOf(1), recordOf('a', 1, { body: { big: 1n } })))).toBe('failed')
      expect(journal().leases.list()).toEqual([])
      expect((await journal().begin(leaseOf(1), recordOf('a', 1))).granted).toBe(true)
    })
  })
