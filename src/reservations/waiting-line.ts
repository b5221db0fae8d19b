/** The requests that wait to reserve a phone, in the order in which they came, whichever processes have them. */
import type { ReservationContext } from '../../machines/reservation-setup.ts'
import { TURN_MS } from '../contracts/limits.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { Liveness } from '../runtime/lease/lease.ts'
import { type ReadReservation, type ReservationSource, readReservation, reservationTarget } from './read-reservation.ts'

interface WaitingLineOptions {
  host: Pick<Host, 'follow' | 'tell'>
  journal: Pick<Journal, 'withTag'> & ReservationSource['journal']
  clock: Clock
  mayLive: Liveness
}

const TAG = 'waiting-to-reserve'

export const createWaitingLine = (options: WaitingLineOptions) => {
  const { host, journal, clock, mayLive } = options

  /** A process that hangs keeps nobody waiting for longer than it said it would wait itself. */
  const isInTime = ({ since, waitMs }: ReservationContext) => Math.abs(clock.now() - since) < waitMs + TURN_MS
  const waits = (one: ReadReservation) => isInTime(one) && (one.holder === null || mayLive(one.holder) !== false)

  /** Those that will not take their turn are removed, whenever the journal takes that. Throws JournalError. */
  return (phone: string): ReadReservation[] => {
    const line = journal
      .withTag(TAG)
      .flatMap(({ actor }) => readReservation(actor.slice(actor.indexOf(':') + 1), options) ?? [])
      .filter(one => one.state === 'waiting' && one.phone === phone)
    for (const { leaseId } of line.filter(one => !waits(one)))
      void host.tell(reservationTarget(leaseId), { type: 'reservation.withdrawn', why: 'gone' }).catch(() => {})
    return line.filter(waits).sort((a, b) => a.since - b.since || (a.leaseId < b.leaseId ? -1 : 1))
  }
}

export type WaitingLine = ReturnType<typeof createWaitingLine>
