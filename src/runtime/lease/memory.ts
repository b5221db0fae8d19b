/** Leases of one process: the reference implementation. */
import type { Lease } from '../../contracts/journal.ts'
import type { Clock } from '../clock.ts'
import { type Claim, isOwned, type LeaseRequest, type Liveness } from './lease.ts'

export const memoryLeases = (alive: Liveness, { now }: Pick<Clock, 'now'>) => {
  const fences = new Map<string, number>()
  const held = new Map<string, Lease>()
  const renewed = new Map<string, number>()
  const read = (key: string) => structuredClone(held.get(key))
  const owner = (key: string) => {
    const lease = read(key)
    return lease && isOwned(alive, { ...lease, renewedAt: renewed.get(key) ?? lease.since }, now()) ? lease : undefined
  }
  const isHeld = ({ key, fence }: Pick<Lease, 'key' | 'fence'>) => held.get(key)?.fence === fence
  return {
    acquire: ({ key, holder, since, note, replaces }: LeaseRequest): Claim => {
      const present = owner(key)
      if (present && !replaces?.(present)) return { granted: false, lease: present }
      const fence = (fences.get(key) ?? 0) + 1
      const lease = structuredClone({ key, fence, holder, since, note })
      fences.set(key, fence)
      held.set(key, lease)
      renewed.delete(key)
      return { granted: true, lease: structuredClone(lease) }
    },
    release: (grant: { key: string; fence: number }): boolean => isHeld(grant) && held.delete(grant.key),
    renew: (grants: readonly Pick<Lease, 'key' | 'fence'>[]): void => {
      for (const grant of grants) if (isHeld(grant)) renewed.set(grant.key, now())
    },
    read,
    owner,
    list: (): Lease[] => structuredClone([...held.values()].sort((a, b) => (a.key < b.key ? -1 : 1))),
    /** Refuses the writes of older grants. */
    newestFence: (key: string) => fences.get(key),
  }
}
