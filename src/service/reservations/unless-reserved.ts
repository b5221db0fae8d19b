/**
 * Decides inside the write that grants a phone what stands in the way: work on it, or the reservation of another
 * caller.
 */

import { leaseIdIn, reservedKey } from '../../contracts/reservation-grant.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { OwnershipRequest } from '../../runtime/ownership/ownership.ts'
import { endOverdueOn, type OverdueSource } from './end-expired.ts'
import { type ReservationSource, readReservation } from './read-reservation.ts'

/** For a reservation that does not wait: work in flight on the phone stands in its way, and before that whose it is. */
export const unlessBusy =
  (phone: string): NonNullable<OwnershipRequest['unless']> =>
  owner =>
    owner(reservedKey(phone)) ?? owner(phone)

/** One that names a lease needs that to be held. Only what stands in the way or is named is read. */
export const unlessReserved =
  (phone: string, leaseId: string | undefined, source: ReservationSource): NonNullable<OwnershipRequest['unless']> =>
  owner => {
    const reserved = owner(reservedKey(phone))
    if (leaseId === undefined) return reserved
    // Its process may be frozen: then it does not end the reservation in time.
    const isHeld = reserved && leaseIdIn(reserved) === leaseId && readReservation(leaseId, source)?.state !== 'expired'
    if (isHeld) return undefined
    throw new JournalError('unheld', `The reservation ${leaseId} does not hold ${phone}`)
  }

/** The same for work that has no actor: false where the lease that it names is not held. */
export const ownUnlessReserved = async (
  leaseId: string | undefined,
  phone: string,
  source: OverdueSource,
  take: (unless: NonNullable<OwnershipRequest['unless']>) => Promise<boolean>,
): Promise<boolean> => {
  try {
    const unless = unlessReserved(phone, leaseId, source)
    return (
      (await take(unless)) || (leaseId === undefined && (await endOverdueOn(phone, source)) && (await take(unless)))
    )
  } catch (error) {
    if (error instanceof JournalError && error.reason === 'unheld') return false
    throw error
  }
}
