/** Constructs the reservations of phones: their ports for the host, and what routes and commands ask. */

import type { Host } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { once } from '../runtime/once.ts'
import { reservationPorts } from '../service/reservations/ports.ts'
import { createReservations, type ReservationDeps } from '../service/reservations/reservations.ts'

interface ReservationPartsOptions extends Omit<ReservationDeps, 'host' | 'journal'> {
  host: () => Host
  journal: () => Journal
}

export const reservationParts = ({ host, journal, ...parts }: ReservationPartsOptions) => ({
  ports: reservationPorts({ clock: parts.clock, host, journal }),
  reservations: once(() => createReservations({ ...parts, host: host(), journal: journal() })),
})
