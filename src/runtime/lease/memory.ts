/** Leases of one process: the reference implementation. */
import type { Lease } from '../../contracts/journal.ts'
import type { LeaseStore, Liveness } from './lease.ts'

/** A journal also asks for the newest fence of a key, to refuse the writes of older grants. */
export interface FencedLeases extends LeaseStore {
  newestFence(key: string): number | undefined
}

export const memoryLeases = (alive: Liveness): FencedLeases => {
  const fences = new Map<string, number>()
  const held = new Map<string, Lease>()
  const read = (key: string) => structuredClone(held.get(key))
  return {
    acquire: ({ key, holder, since, note }) => {
      const present = read(key)
      if (present && alive(present.holder)) return { granted: false, lease: present }
      const fence = (fences.get(key) ?? 0) + 1
      const lease = structuredClone({ key, fence, holder, since, note })
      fences.set(key, fence)
      held.set(key, lease)
      return { granted: true, lease: structuredClone(lease) }
    },
    release: ({ key, fence }) => held.get(key)?.fence === fence && held.delete(key),
    read,
    list: () => structuredClone([...held.values()].sort((a, b) => (a.key < b.key ? -1 : 1))),
    newestFence: key => fences.get(key),
  }
}
