/** One owner per key on the whole host: who holds it, since when, and a fencing number that grows with each grant. */

import { LEASE_EXPIRES_MS } from '../../contracts/limits/limits.ts'
import type { Ownership, OwnershipHolder } from '../../contracts/records/journal.ts'
import type { Clock } from '../clock.ts'

export type OwnershipGrant = { granted: true; lease: Ownership } | { granted: false; lease: Ownership }

export interface OwnershipRequest {
  key: string
  holder: OwnershipHolder
  since: number
  note: Record<string, unknown>
  /** True for grants that may be replaced while their holder lives: those left over when the journal failed. */
  replaces?: ((lease: Ownership) => boolean) | undefined
  /**
   * Looks at the owners of other keys inside the write that grants: the lease that stands in the way refuses the request.
   * Throws JournalError `unheld` where a lease that it depends on is not held.
   */
  unless?: ((owner: (key: string) => Ownership | undefined) => Ownership | undefined) | undefined
}

export interface LeaseStore {
  /** Grants when the key is free or its holder is dead; the same holder asking again is refused like any other. */
  acquire(request: OwnershipRequest): Promise<OwnershipGrant>
  /** Frees the key if this very grant still holds it; otherwise does nothing. Says whether it freed. */
  release(grant: { key: string; fence: number }): Promise<boolean>
  /** Tells those that cannot see this process that it still holds these very grants. */
  renew(grants: readonly Pick<Ownership, 'key' | 'fence'>[]): Promise<void>
  /** The present holder, dead or alive; undefined when free. */
  read(key: string): Ownership | undefined
  /** The present holder unless it is dead. */
  owner(key: string): Ownership | undefined
  list(): Ownership[]
}

/** Thrown where only a throw keeps an event from taking effect: another owner has the key. */
export class HeldError extends Error {
  readonly lease: Ownership

  constructor(lease: Ownership) {
    super(`${lease.key} is held by process ${lease.holder.pid}`)
    this.name = 'HeldError'
    this.lease = lease
  }
}

/** The same request, under the key that the actor is owned by now, if there is one: whatever else is owned, it may settle. */
export const withKeyOfActor = (
  actor: string,
  held: readonly Ownership[],
  request: OwnershipRequest,
): OwnershipRequest => {
  const owned = held.find(({ note }) => note.actor === actor)
  return { ...request, unless: undefined, ...(owned ? { key: owned.key } : {}) }
}

/**
 * Tells whether the process that took a lease still runs: its pid and its start time must both match. Undefined when it
 * cannot be seen from here, because it runs in another container.
 */
export type Liveness = (holder: OwnershipHolder) => boolean | undefined

/** A holder that cannot be seen owns its key for as long as it renews it. A clock that was set back renews nothing. */
export const isOwned = (
  alive: Liveness,
  { holder, renewedAt }: { holder: OwnershipHolder; renewedAt: number },
  now: number,
): boolean => alive(holder) ?? Math.abs(now - renewedAt) < LEASE_EXPIRES_MS

export const memoryLeases = (alive: Liveness, { now }: Pick<Clock, 'now'>) => {
  const fences = new Map<string, number>()
  const held = new Map<string, Ownership>()
  const renewed = new Map<string, number>()
  const read = (key: string) => structuredClone(held.get(key))
  const owner = (key: string) => {
    const lease = read(key)
    return lease && isOwned(alive, { ...lease, renewedAt: renewed.get(key) ?? lease.since }, now()) ? lease : undefined
  }
  const isHeld = ({ key, fence }: Pick<Ownership, 'key' | 'fence'>) => held.get(key)?.fence === fence
  return {
    acquire: ({ key, holder, since, note, replaces, unless }: OwnershipRequest): OwnershipGrant => {
      const standing = unless?.(owner)
      if (standing) return { granted: false, lease: standing }
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
    renew: (grants: readonly Pick<Ownership, 'key' | 'fence'>[]): void => {
      for (const grant of grants) if (isHeld(grant)) renewed.set(grant.key, now())
    },
    read,
    owner,
    list: (): Ownership[] => structuredClone([...held.values()].sort((a, b) => (a.key < b.key ? -1 : 1))),
    /** Refuses the writes of older grants. */
    newestFence: (key: string) => fences.get(key),
  }
}
