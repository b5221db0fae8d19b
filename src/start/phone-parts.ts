/**
 * Constructs the reservations of phones and the recorder of their screens: their ports for the host, and what routes
 * and commands ask.
 */

import type { Host } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { once } from '../runtime/once.ts'
import { deadlinePort, type Ports } from '../runtime/port.ts'
import type { RecordingDeps } from '../service/recordings/deps.ts'
import { finishPort } from '../service/recordings/finish-port.ts'
import { recordPort } from '../service/recordings/record-port.ts'
import { createRecordings } from '../service/recordings/recordings.ts'
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

interface RecordingPartsOptions
  extends Pick<RecordingDeps, 'clock' | 'ids' | 'home' | 'leaseBy' | 'links' | 'mayRecord'> {
  host: () => Host
  journal: () => Journal
}

export const recordingParts = ({ host, journal, ...parts }: RecordingPartsOptions) => {
  const deps: RecordingDeps = {
    ...parts,
    // The host is made with these ports, so both are looked up when they are needed.
    get host() {
      return host()
    },
    get journal() {
      return journal()
    },
  }
  const ports: Ports = { record: recordPort(deps), finish: finishPort(deps), deadline: deadlinePort(deps.clock) }
  return { ports: { recording: ports }, create: () => createRecordings(deps) }
}
