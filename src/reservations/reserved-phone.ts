/** The key under which a phone is reserved, beside the one under which executions own it; who may begin something on it. */
import type { Lease } from '../contracts/journal.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import type { LeaseRequest } from '../runtime/lease/lease.ts'

const PREFIX = 'reserved:'

/** `phone` is the key under which executions own it. */
export const reservedKey = (phone: string): string => `${PREFIX}${phone}`

export const isReservation = ({ key }: Pick<Lease, 'key'>): boolean => key.startsWith(PREFIX)

export const leaseIdIn = ({ note }: Pick<Lease, 'note'>): string | undefined =>
  typeof note.leaseId === 'string' ? note.leaseId : undefined

/** For work on a phone: the reservation of another caller stands in its way. One that names a lease needs that to be held. */
export const unlessReserved =
  (phone: string, leaseId: string | undefined): NonNullable<LeaseRequest['unless']> =>
  owner => {
    const reserved = owner(reservedKey(phone))
    if (leaseId === undefined) return reserved
    if (reserved && leaseIdIn(reserved) === leaseId) return undefined
    throw new JournalError('unheld', `The reservation ${leaseId} does not hold ${phone}`)
  }

/** The same for work that has no actor: false where the lease that it names is not held. */
export const ownUnlessReserved = async (
  leaseId: string | undefined,
  phone: string,
  own: (unless: NonNullable<LeaseRequest['unless']>) => Promise<boolean>,
): Promise<boolean> => {
  try {
    return await own(unlessReserved(phone, leaseId))
  } catch (error) {
    if (error instanceof JournalError && error.reason === 'unheld') return false
    throw error
  }
}

/** The key under which an attempt of a flow has a phone between its executions. */
export const flowsKey = (deviceId: string): string => `flows:${deviceId}`

interface WantedPhone {
  phone: string
  deviceId: string
}

/** For a reservation: an attempt of a flow keeps its phone to its end. */
export const unlessInFlow =
  ({ deviceId }: WantedPhone): NonNullable<LeaseRequest['unless']> =>
  owner =>
    owner(flowsKey(deviceId))

/** For a reservation that does not wait: work that is in flight on the phone stands in its way as well. */
export const unlessBusy =
  (wanted: WantedPhone): NonNullable<LeaseRequest['unless']> =>
  owner =>
    unlessInFlow(wanted)(owner) ?? owner(wanted.phone)
