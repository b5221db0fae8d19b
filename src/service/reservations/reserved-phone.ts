/** Whom a phone is reserved for, and what stands in the way of that. */
import { reservedKey } from '../../contracts/reservation-grant.ts'
import type { OwnershipRequest } from '../../runtime/ownership/ownership.ts'

/** For a reservation that does not wait: work in flight on the phone stands in its way, and before that whose it is. */
export const unlessBusy =
  (phone: string): NonNullable<OwnershipRequest['unless']> =>
  owner =>
    owner(reservedKey(phone)) ?? owner(phone)
