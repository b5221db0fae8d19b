/**
 * The requests that wait to reserve a phone, in the order in which they came, whichever processes have them. All requests
 * of this process share one look at it for each change.
 */
import type { ReservationContext } from '../../../machines/reservation/reservation-setup.ts'
import { TURN_MS, WAITING_MAX } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { Liveness } from '../../runtime/ownership/ownership.ts'
import { standingReservation } from './end-expired.ts'
import { type ReadReservation, type ReservationSource, readReservation, reservationTarget } from './read-reservation.ts'
import { createLooks } from './watch-journal.ts'

interface WaitingLineOptions {
  host: Pick<Host, 'follow' | 'tell'>
  journal: Pick<Journal, 'withTag' | 'subscribe'> & ReservationSource['journal']
  clock: Clock
  mayLive: Liveness
}

export interface WaitingPlace {
  /** The requests that wait for the phone as they were at the last change. Throws JournalError. */
  line(): readonly ReadReservation[]
  /** The queue is full, those of this process included that are not on record yet. Throws JournalError. */
  isFull(): boolean
  /** Tells whether a reservation or a flow has the phone at the last change. Throws JournalError. */
  isReserved(): boolean
  /** Take it before looking: it resolves at the next change after that. */
  next(): Promise<void>
  leave(): void
}

interface Room {
  waiters: number
  looks: ReturnType<typeof createLooks>
  line: readonly ReadReservation[] | undefined
  isReserved: boolean | undefined
}

const TAG = 'waiting-to-reserve'

const leaseIdOf = (actor: string): string => actor.slice(actor.indexOf(':') + 1)

export const createWaitingLine = (options: WaitingLineOptions) => {
  const { host, journal, clock, mayLive } = options
  /** A request that waits does not change, so each is read once. */
  let known = new Map<string, ReadReservation>()
  const rooms = new Map<string, Room>()

  /** A process that hangs keeps nobody waiting for longer than it said it would wait itself. */
  const isInTime = ({ since, waitMs }: ReservationContext) => Math.abs(clock.now() - since) < waitMs + TURN_MS
  const waits = (one: ReadReservation) => isInTime(one) && (one.holder === null || mayLive(one.holder) !== false)

  const all = (): ReadReservation[] => {
    const present = new Map<string, ReadReservation>()
    for (const { actor } of journal.withTag(TAG)) {
      const leaseId = leaseIdOf(actor)
      const one = known.get(leaseId) ?? readReservation(leaseId, options)
      if (one?.state === 'waiting') present.set(leaseId, one)
    }
    known = present
    return [...present.values()]
  }

  /** Those that will not take their turn are removed, whenever the journal takes that. Throws JournalError. */
  const look = (phone: string): ReadReservation[] => {
    const line = all().filter(one => one.phone === phone)
    for (const { leaseId } of line.filter(one => !waits(one)))
      void host.tell(reservationTarget(leaseId), { type: 'reservation.withdrawn', why: 'gone' }).catch(() => {})
    return line.filter(waits).sort((a, b) => a.since - b.since || (a.leaseId < b.leaseId ? -1 : 1))
  }

  const createRoom = (): Room => {
    const room: Room = {
      waiters: 0,
      line: undefined,
      isReserved: undefined,
      looks: createLooks({
        journal,
        clock,
        matters: ({ machine }) => machine === 'reservation',
        onLook() {
          room.line = undefined
          room.isReserved = undefined
        },
      }),
    }
    return room
  }

  return {
    look,
    /** Call `leave` when the waiting is over. */
    enter({ phone }: { phone: string }): WaitingPlace {
      const room = rooms.get(phone) ?? createRoom()
      rooms.set(phone, room)
      room.waiters += 1
      const line = () => {
        room.line ??= look(phone)
        return room.line
      }
      return {
        line,
        isFull: () => room.waiters > WAITING_MAX || line().length >= WAITING_MAX,
        isReserved: () => {
          room.isReserved ??= standingReservation(phone, options) !== undefined
          return room.isReserved
        },
        next: room.looks.next,
        leave() {
          room.waiters -= 1
          if (room.waiters > 0) return
          rooms.delete(phone)
          room.looks.close()
        },
      }
    },
  }
}

export type WaitingLine = ReturnType<typeof createWaitingLine>
