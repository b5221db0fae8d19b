/** The key under which a phone is reserved, beside the one under which executions own it; who may begin something on it. */
import type { Lease } from '../contracts/journal.ts'
import type { LeaseRequest } from '../runtime/lease/lease.ts'

const PREFIX = 'reserved:'

/** `phone` is the key under which executions own it. */
export const reservedKey = (phone: string): string => `${PREFIX}${phone}`

export const isReservation = ({ key }: Pick<Lease, 'key'>): boolean => key.startsWith(PREFIX)

export const leaseIdIn = ({ note }: Pick<Lease, 'note'>): string | undefined =>
  typeof note.leaseId === 'string' ? note.leaseId : undefined

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

/** For a reservation that does not wait: work in flight on the phone stands in its way, and before that whose it is. */
export const unlessBusy =
  (wanted: WantedPhone): NonNullable<LeaseRequest['unless']> =>
  owner =>
    unlessInFlow(wanted)(owner) ?? owner(reservedKey(wanted.phone)) ?? owner(wanted.phone)
