/** Renews what this process owns for long, for hosts in other containers, which cannot see whether it lives. */

import { LEASE_RENEW_MS } from '../../contracts/limits/limits.ts'
import type { Ownership } from '../../contracts/records/journal.ts'
import type { Clock, Timer } from '../clock.ts'
import type { LeaseStore } from './ownership.ts'

interface RenewalOptions {
  leases: Pick<LeaseStore, 'renew'>
  clock: Clock
  /** The leases that this process holds now. */
  grants: () => readonly Ownership[]
  /** True while this process may come to hold a lease. */
  isNeeded: () => boolean
}

export const createRenewal = ({ leases, clock, grants, isNeeded }: RenewalOptions) => {
  let timer: Timer | undefined

  const renew = () => {
    // Young leases are skipped: work that ends within seconds costs no further write.
    const due = grants().filter(({ since }) => Math.abs(clock.now() - since) >= LEASE_RENEW_MS)
    // A failed renewal is tried again the next time, well before the lease counts as abandoned.
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
    /** Goes on until it is not needed any more; safe to call again. */
    start,
    stop: () => {
      timer?.cancel()
      timer = undefined
    },
  }
}
