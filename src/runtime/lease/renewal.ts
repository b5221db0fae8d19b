/** Renews what this process owns for long, for hosts in other containers, which cannot see whether it lives. */
import type { Lease } from '../../contracts/journal.ts'
import { LEASE_RENEW_MS } from '../../contracts/limits.ts'
import type { Clock, Timer } from '../clock.ts'
import type { LeaseStore } from './lease.ts'

export interface RenewalOptions {
  leases: Pick<LeaseStore, 'renew'>
  clock: Clock
  /** What this process owns now. */
  grants: () => readonly Lease[]
  /** Whether it may come to own something. */
  isNeeded: () => boolean
}

export interface Renewal {
  /** Goes on until it is not needed any more; safe to call again. */
  start(): void
  stop(): void
}

export const createRenewal = ({ leases, clock, grants, isNeeded }: RenewalOptions): Renewal => {
  let timer: Timer | undefined

  const renew = () => {
    // What ends within seconds costs no further write.
    const due = grants().filter(({ since }) => Math.abs(clock.now() - since) >= LEASE_RENEW_MS)
    // What is not renewed now is renewed the next time, well before it counts as abandoned.
    if (due.length > 0) leases.renew(due).catch(() => {})
  }
  const start = () => {
    timer ??= clock.at(
      clock.now() + LEASE_RENEW_MS,
      () => {
        timer = undefined
        if (!isNeeded()) return
        renew()
        start()
      },
      { idle: true },
    )
  }

  return {
    start,
    stop: () => {
      timer?.cancel()
      timer = undefined
    },
  }
}
