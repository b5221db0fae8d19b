/** Reservations whose time is over while their process is frozen: whoever needs the phone ends them. */

import { IN_FLIGHT } from '../../../machines/definition.ts'
import { RESERVATION } from '../../../machines/reservation/reservation-definition.ts'
import type { ReservationContext } from '../../../machines/reservation/reservation-setup.ts'
import { LEASE_GRACE_MS } from '../../contracts/limits/reservation-limits.ts'
import type { Ownership as Grant } from '../../contracts/records/journal.ts'
import { leaseIdIn, reservedKey } from '../../contracts/reservation-grant.ts'
import { statePath } from '../../runtime/fold.ts'
import type { Host } from '../../runtime/host.ts'
import { endOf, type ReservationSource, reservationTarget } from './read-reservation.ts'

type ReservationSnapshot = { value: Parameters<typeof statePath>[0]; context: unknown }

/**
 * By the wall clock, which all processes of a host share, and which `expiresAt` is told by. Set back, it ends nothing
 * early: the process that keeps the reservation measures by a clock that cannot be set.
 */
const isOverdue = ({ value, context }: ReservationSnapshot, now: number): boolean =>
  now >= endOf(statePath(value), context as ReservationContext) + LEASE_GRACE_MS

/** The reservation that holds the phone, unless its process should have ended it. Throws JournalError. */
export const standingReservation = (phone: string, { host, journal, clock }: ReservationSource): Grant | undefined => {
  const grant = journal.leases.owner(reservedKey(phone))
  if (!grant) return undefined
  const { snapshot, version } = host.follow(reservationTarget(leaseIdIn(grant) ?? '')).look()
  // Its events say more than this build reads: then only its owner, or a newer build, can tell that it is over.
  if (version > RESERVATION.version) return grant
  return snapshot && (!snapshot.hasTag(IN_FLIGHT) || isOverdue(snapshot, clock.now())) ? undefined : grant
}

export interface OverdueSource extends ReservationSource {
  host: Pick<Host, 'follow' | 'endForOwner'>
}

/** Says whether it has ended the reservation and freed its phone. Rejects with JournalError. */
export const endIfOverdue = (grant: Grant, { host, clock }: OverdueSource): Promise<boolean> =>
  host.endForOwner(reservationTarget(leaseIdIn(grant) ?? ''), {
    lease: grant,
    event: { type: 'deadline.passed' },
    isDue: snapshot => isOverdue(snapshot, clock.now()),
  })

/** The same for whatever reservation holds the phone. */
export const endOverdueOn = async (phone: string, source: OverdueSource): Promise<boolean> => {
  const grant = source.journal.leases.owner(reservedKey(phone))
  return grant !== undefined && endIfOverdue(grant, source)
}
