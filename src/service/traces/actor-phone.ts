/** Finds the phone of a session or of a reservation in its first records. */

import type { JournalRecord } from '../../contracts/records/journal.ts'
import { labelsIn, leaseIdIn, reservationActor, reservedKey } from '../../contracts/reservation-grant.ts'
import type { Journal } from '../../runtime/journal/journal.ts'

/** A record of its creation, its request, and for a session the phone that was reserved. */
const BEGINNING = 3

const TELLING: Readonly<Record<string, readonly string[]>> = {
  session: ['phone.reserved'],
  reservation: ['reservation.queued', 'reservation.taken'],
}

export interface ActorPhone {
  deviceId?: string
  /** The session that a reservation is of. */
  sessionId?: string
  /** The purpose of a reservation, and the user and machine of the process that keeps it. */
  note?: string
  keptBy?: string
}

const labelsOf = (journal: Journal, phone: string, actor: string): Pick<ActorPhone, 'note' | 'keptBy'> => {
  const grant = journal.leases.owner(reservedKey(phone))
  if (!grant || actor !== reservationActor(leaseIdIn(grant) ?? '')) return {}
  const { note, keptBy } = labelsIn(grant)
  return { ...(note === undefined ? {} : { note }), ...(keptBy && { keptBy: `${keptBy.user} on ${keptBy.machine}` }) }
}

/** Empty for other actors, for a session that has no phone yet, and where retention removed those records. */
export const phoneOfActor = (journal: Journal, { actor, machine }: JournalRecord): ActorPhone => {
  const telling = Object.hasOwn(TELLING, machine) ? TELLING[machine] : undefined
  if (!telling) return {}
  const first = journal.records({ actor, fromN: 0, limit: BEGINNING, passesDamage: true })
  const phoneEvent = first.find(({ event }) => telling.includes(event.type))?.event
  if (!phoneEvent) return {}
  const { deviceId, sessionId, phone } = phoneEvent
  return {
    ...(typeof deviceId === 'string' ? { deviceId } : {}),
    ...(typeof sessionId === 'string' && machine === 'reservation' ? { sessionId } : {}),
    ...(typeof phone === 'string' && machine === 'reservation' ? labelsOf(journal, phone, actor) : {}),
  }
}
