/** The grant of a reservation in the journal: the key under which it has its phone, its id, and what it tells of itself. */
import type { Ownership as Grant } from './records/journal.ts'
import type { Reservation } from './reservation.ts'

const PREFIX = 'reserved:'

/** `phone` is the key under which executions own it. */
export const reservedKey = (phone: string): string => `${PREFIX}${phone}`

export const isReservation = ({ key }: Pick<Grant, 'key'>): boolean => key.startsWith(PREFIX)

export const leaseIdIn = ({ note }: Pick<Grant, 'note'>): string | undefined =>
  typeof note.leaseId === 'string' ? note.leaseId : undefined

export interface ReservationUser {
  sessionId?: string
  flowRunId?: string
}

/** The session or the attempt of a flow that a reservation is for. */
export const userOf = ({ note: { sessionId, flowRunId } }: Pick<Grant, 'note'>): ReservationUser => ({
  ...(typeof sessionId === 'string' ? { sessionId } : {}),
  ...(typeof flowRunId === 'string' ? { flowRunId } : {}),
})

/** The id of the actor that a reservation is. */
export const reservationActor = (leaseId: string): string => `reservation:${leaseId}`

export type LeaseLabels = Pick<Reservation, 'note' | 'keptBy' | 'flowRunId'>

/** Its note, and whose process keeps it; grants of older versions have none. */
export const labelsIn = ({
  note: { text, user, machine, flowRunId },
  holder: { pid },
}: Pick<Grant, 'note' | 'holder'>): LeaseLabels => ({
  ...(typeof text === 'string' ? { note: text } : {}),
  ...(typeof flowRunId === 'string' ? { flowRunId } : {}),
  ...(typeof user === 'string' && typeof machine === 'string' ? { keptBy: { user, machine, pid } } : {}),
})
