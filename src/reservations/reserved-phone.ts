/** Who may begin something on a phone, beside the execution that owns it. */
import { reservedKey } from '../contracts/reservation-grant.ts'
import type { LeaseRequest } from '../runtime/lease/lease.ts'

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
