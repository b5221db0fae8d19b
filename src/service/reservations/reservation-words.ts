/** Callers who are refused or wait read the id, the user, the end and the purpose of the reservation in the way. */
import type { Reservation } from '../../contracts/reservation.ts'

type NamedLease = Pick<Reservation, 'leaseId' | 'sessionId' | 'flowRunId' | 'keptBy' | 'note'> & {
  readonly expiresAt: number
}

const timeOf = (at: number): string => new Date(at).toISOString()

/** `reserved by lease 0199... of ann on ci-3 until 2026-05-04T12:00:00.000Z: "nightly"`; an end of 0 is not known. */
export const reservationWords = ({ leaseId, sessionId, flowRunId, keptBy, note, expiresAt }: NamedLease): string => {
  const whose =
    sessionId !== undefined ? ` (session ${sessionId})` : flowRunId !== undefined ? ` (flow run ${flowRunId})` : ''
  const by = keptBy === undefined ? '' : ` of ${keptBy.user} on ${keptBy.machine}`
  const until = expiresAt > 0 ? ` until ${timeOf(expiresAt)}` : ''
  const what = note === undefined ? '' : `: ${JSON.stringify(note)}`
  return `reserved by lease ${leaseId}${whose}${by}${until}${what}`
}
