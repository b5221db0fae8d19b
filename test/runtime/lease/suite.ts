/** Leases of every journal. */
import { describe, expect, test } from 'vitest'
import type { Bench } from '../journal/bench.ts'

export const leaseSuite = ({ journal, dead }: Bench): void => {
  const holder = (pid: number, instance = 'i1') => ({ pid, started: `s${pid}`, instance })
  const acquire = (key: string, pid: number, instance?: string) =>
    journal().leases.acquire({ key, holder: holder(pid, instance), since: 5, note: { executionId: `e${pid}` } })

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
  })
}
