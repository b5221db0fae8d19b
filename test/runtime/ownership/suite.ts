/** Leases of every journal. */
import { describe, expect, test } from 'vitest'
import { LEASE_EXPIRES_MS } from '../../../src/contracts/limits/limits.ts'
import type { Bench } from '../journal/bench.ts'

export const leaseSuite = ({ journal, dead, unseen, clock }: Bench): void => {
  const holder = (pid: number, instance = 'i1') => ({ pid, started: `s${pid}`, instance })
  const acquire = (key: string, pid: number, instance?: string) =>
    journal().leases.acquire({ key, holder: holder(pid, instance), since: 5, note: { executionId: `e${pid}` } })
  const acquireNow = (key: string, pid: number) =>
    journal().leases.acquire({ key, holder: holder(pid), since: clock().now(), note: {} })

  describe('leases', () => {
    test('are granted when free and refused with the holder when not', async () => {
      const first = await acquire('k', 1)
      expect(first).toEqual({
        granted: true,
        lease: { key: 'k', fence: 1, holder: holder(1), since: 5, note: { executionId: 'e1' } },
      })
      expect(await acquire('k', 2)).toEqual({ granted: false, lease: first.lease })
      expect(await acquire('k', 1)).toEqual({ granted: false, lease: first.lease })
      expect((await acquire('k', 1, 'i2')).granted).toBe(false)
      expect((await acquire('other', 2)).granted).toBe(true)
      expect(journal().leases.read('k')).toEqual(first.lease)
      expect(
        journal()
          .leases.list()
          .map(({ key }) => key),
      ).toEqual(['k', 'other'])
    })

    test('are listed by their keys, whichever was taken first', async () => {
      for (const key of ['b', 'c', 'a']) await acquire(key, 1)
      const listed = journal().leases.list()
      expect(listed.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
    })

    test('are freed by the grant that holds them and by no other; the fence goes on growing', async () => {
      const first = (await acquire('k', 1)).lease
      expect(await journal().leases.release({ key: 'k', fence: first.fence + 1 })).toBe(false)
      expect(await journal().leases.release({ key: 'none', fence: 1 })).toBe(false)
      expect(await journal().leases.release(first)).toBe(true)
      expect(await journal().leases.release(first)).toBe(false)
      expect(journal().leases.read('k')).toBeUndefined()
      expect(journal().leases.list()).toEqual([])
      const second = await acquire('k', 2)
      expect(second).toMatchObject({ granted: true, lease: { fence: 2 } })
      expect(await journal().leases.release(first)).toBe(false)
      expect(journal().leases.read('k')).toEqual(second.lease)
    })

    test('of a dead holder are replaced at once', async () => {
      await acquire('k', 1)
      dead.add(1)
      expect(journal().leases.read('k')?.holder.pid).toBe(1)
      expect(await acquire('k', 2)).toMatchObject({ granted: true, lease: { fence: 2, holder: { pid: 2 } } })
      expect(await acquire('k', 3)).toMatchObject({ granted: false, lease: { fence: 2, holder: { pid: 2 } } })
    })

    test('of a holder that cannot be seen are its own for as long as it renews them', async () => {
      const { lease } = await acquireNow('k', 1)
      unseen.add(1)
      expect(await acquireNow('k', 2)).toEqual({ granted: false, lease })
      expect(journal().leases.owner('k')).toEqual(lease)
      for (let renewals = 0; renewals < 3; renewals++) {
        clock().advance(LEASE_EXPIRES_MS - 1)
        await journal().leases.renew([lease, { key: 'none', fence: 1 }])
      }
      clock().advance(LEASE_EXPIRES_MS - 1)
      expect((await acquireNow('k', 2)).granted).toBe(false)
      clock().advance(1)
      expect(journal().leases.owner('k')).toBeUndefined()
      expect(journal().leases.read('k')).toEqual(lease)
      const next = await acquireNow('k', 2)
      expect(next).toMatchObject({ granted: true, lease: { fence: 2, holder: { pid: 2 } } })
      await journal().leases.renew([lease])
      unseen.add(2)
      clock().advance(LEASE_EXPIRES_MS)
      expect(journal().leases.owner('k'), 'an older grant renews nothing').toBeUndefined()
    })

    test('of a holder that cannot be seen are taken again at once by the next one that can', async () => {
      const { lease } = await acquireNow('k', 1)
      clock().advance(LEASE_EXPIRES_MS * 2)
      await journal().leases.renew([lease])
      await journal().leases.release(lease)
      unseen.add(2)
      await acquireNow('k', 2)
      clock().advance(LEASE_EXPIRES_MS)
      expect(journal().leases.owner('k'), 'the renewal of an earlier grant does not count').toBeUndefined()
    })

    test('of a holder that cannot be seen are its own from the grant on, however long ago an earlier one was renewed', async () => {
      unseen.add(1).add(2)
      const { lease } = await acquireNow('k', 1)
      await journal().leases.renew([lease])
      await journal().leases.release(lease)
      clock().advance(LEASE_EXPIRES_MS)
      const next = await acquireNow('k', 2)
      expect(next).toMatchObject({ granted: true, lease: { fence: 2, holder: { pid: 2 } } })
      expect(journal().leases.owner('k'), 'it has had no time to renew it yet').toEqual(next.lease)
    })
  })
}
