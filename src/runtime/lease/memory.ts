/** Leases of one process: the reference implementation. */
import type { Lease } from '../../contracts/journal.ts'
import type { Claim, LeaseRequest, Liveness } from './lease.ts'

export const memoryLeases = (alive: Liveness) => {
  const fences = new Map<string, number>()
  const held = new Map<string, Lease>()
  const read = (key: string) => structuredClone(held.get(key))
  return {
    acquire: ({ key, holder, since, note, replaces }: LeaseRequest): Claim => {
      const present = read(key)
      if (present && !replaces?.(present) && alive(present.holder)) return { granted: false, lease: present }
      const fence = (fences.get(key) ?? 0) + 1
      const lease = structuredClone({ key, fence, holder, since, note })
      fences.set(key, fence)
      held.set(key, lease)
      return { granted: true, lease: structuredClone(lease) }
    },
    release: ({ key, fence }: { key: string; fence: number }): boolean =>
      held.get(key)?.fence === fence && held.delete(key),
    read,
    list: (): Lease[] => structuredClone([...held.values()].sort((a, b) => (a.key < b.key ? -1 : 1))),
    /** Refuses the writes of older grants. */
    newestFence: (key: string) => fences.get(key),
  }
}
