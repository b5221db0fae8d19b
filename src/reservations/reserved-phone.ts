/** The key under which a phone is reserved, beside the one under which executions own it; whom it is reserved for. */
import type { Lease } from '../contracts/journal.ts'
import type { LeaseRequest } from '../runtime/lease/lease.ts'

const PREFIX = 'reserved:'

/** `phone` is the key under which executions own it. */
export const reservedKey = (phone: string): string => `${PREFIX}${phone}`

export const isReservation = ({ key }: Pick<Lease, 'key'>): boolean => key.startsWith(PREFIX)

export const leaseIdIn = ({ note }: Pick<Lease, 'note'>): string | undefined =>
  typeof note.leaseId === 'string' ? note.leaseId : undefined

/** The session or the attempt of a flow that a reservation is for. */
export const userOf = ({ note: { sessionId, flowRunId } }: Pick<Lease, 'note'>): ReservationUser => ({
  ...(typeof sessionId === 'string' ? { sessionId } : {}),
  ...(typeof flowRunId === 'string' ? { flowRunId } : {}),
})

export interface ReservationUser {
  sessionId?: string
  flowRunId?: string
}

/** For a reservation that does not wait: work in flight on the phone stands in its way, and before that whose it is. */
export const unlessBusy =
  (phone: string): NonNullable<LeaseRequest['unless']> =>
  owner =>
    owner(reservedKey(phone)) ?? owner(phone)
