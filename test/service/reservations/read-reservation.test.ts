/** A reservation that another process gives back while it is read has ended as that process has recorded it. */
import { expect, test } from 'vitest'
import { type ReservationSource, readReservation } from '../../../src/service/reservations/read-reservation.ts'

const HELD = { value: { held: 'ready' }, context: { phone: 'p1', expiresAt: 9 }, hasTag: () => true }
const RELEASED = { value: 'released', context: { phone: 'p1', endedAt: 5 }, hasTag: () => false }

/** The phone is free by the time that its owner is read. */
const read = (...looks: object[]) => {
  const follow = () => ({ look: () => ({ snapshot: looks.length > 1 ? looks.shift() : looks[0] }) })
  const journal = { leases: { owner: () => undefined, list: () => [] } }
  return readReservation('l1', { host: { follow }, journal, clock: { now: () => 1 } } as unknown as ReservationSource)
}

test('it was given back', () => expect(read(HELD, RELEASED)).toMatchObject({ state: 'released', endedAt: 5 }))
test('its process has died', () => expect(read(HELD)).toMatchObject({ state: 'interrupted' }))

test('a history is read on by one follower, however often its reservation is asked for', () => {
  let followers = 0
  const follow = () => {
    followers += 1
    return { look: () => ({ snapshot: RELEASED }) }
  }
  const journal = { leases: { owner: () => undefined, list: () => [] } }
  const source = { host: { follow }, journal, clock: { now: () => 1 } } as unknown as ReservationSource
  for (const leaseId of ['l1', 'l1', 'l2', 'l1']) readReservation(leaseId, source)
  expect(followers).toBe(2)
})
