/** Reservations as routes and commands use them: made, extended, ended, listed, and what a request with one may do. */

import type { ReservationEmitted } from '../../../machines/reservation/reservation-setup.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { StoredEvent } from '../../contracts/records/journal.ts'
import type { Reservation } from '../../contracts/reservation.ts'
import { isReservation, leaseIdIn, reservedKey } from '../../contracts/reservation-grant.ts'
import type { CallOptions, Link } from '../../device/link/link.ts'
import { deviceOwnershipKey, type OwnershipKeyKind } from '../../device/link/select-device.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { JournalFault } from '../../runtime/journal/fault.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import type { Liveness } from '../../runtime/ownership/ownership.ts'
import { createAnyLine } from './any-line.ts'
import { standingReservation } from './end-expired.ts'
import { requestOfKeeper } from './ports.ts'
import {
  leaseNotFound,
  leaseOf,
  leaseRefusal,
  type ReadReservation,
  readReservation,
  reservationTarget,
  reservedConflict,
} from './read-reservation.ts'
import { createReserve, type ReserveRequest } from './reserve.ts'
import { reserveRefusal } from './reserve-refusals.ts'
import { createWaitingLine } from './waiting-line.ts'
import { createLooks } from './watch-journal.ts'

export interface ReservationDeps {
  leaseBy: OwnershipKeyKind
  host: Host
  journal: Journal
  clock: Clock
  ids: Ids
  mayLive: Liveness
}

export type LeaseAnswer = { ok: true; lease: Reservation } | { ok: false; error: ErrorObject }

/** How long the process that keeps a reservation has to change it, which takes no device. */
const CHANGE_MS = 5_000

/** One that ended meanwhile, by this process or by another one, takes no event any more. */
const MAY_HAVE_ENDED: ReadonlySet<JournalFault> = new Set(['unhandled', 'behind', 'fenced'])

const refused = (error: ErrorObject): LeaseAnswer => ({ ok: false, error })

export const createReservations = (deps: ReservationDeps) => {
  const { host, journal, clock, ids } = deps
  const reserve = createReserve({ host, journal, clock, waiting: createWaitingLine(deps) })

  const read = (leaseId: string) => readReservation(leaseId, deps)

  /** What became of a change that was asked for: done, or too late. */
  const settled = (leaseId: string, isDone: (now: ReadReservation) => boolean): LeaseAnswer | undefined => {
    const now = read(leaseId)
    if (now && isDone(now)) return { ok: true, lease: leaseOf(now) }
    return now?.state === 'held' ? undefined : refused(leaseNotFound(leaseId, now))
  }

  const silent = (leaseId: string, pid: number | undefined): LeaseAnswer =>
    refused(
      failure(
        'INTERNAL_ERROR',
        `Process ${pid ?? 'unknown'}, which keeps the reservation ${leaseId}, does not respond.`,
        {
          details: { leaseId, ...(pid === undefined ? {} : { pid }) },
          hint: 'See `GET /leases` for whether it was changed. The end of that process frees the device.',
        },
      ),
    )

  /** Another process keeps it: that one hears the request, and its records tell what it did. */
  const changeElsewhere = async (
    leaseId: string,
    change: StoredEvent,
    isDone: (now: ReadReservation) => boolean,
    pid: number,
  ): Promise<LeaseAnswer> => {
    const { id } = reservationTarget(leaseId)
    const looks = createLooks({ journal, clock, matters: ({ actor }) => actor === id })
    const until = clock.elapsed() + CHANGE_MS
    try {
      await requestOfKeeper(leaseId, change, deps)
      for (;;) {
        const changed = looks.next()
        const answer = settled(leaseId, isDone)
        if (answer) return answer
        if (clock.elapsed() >= until) return silent(leaseId, pid)
        await changed
      }
    } finally {
      looks.close()
    }
  }

  const change = async (
    leaseId: string,
    event: StoredEvent,
    isDone: (now: ReadReservation) => boolean,
  ): Promise<LeaseAnswer> => {
    const found = read(leaseId)
    if (found?.state !== 'held') return refused(leaseNotFound(leaseId, found))
    const outcome = await host.ask<ReservationEmitted>(reservationTarget(leaseId), event, {
      matches: ({ type }) => type === 'reservation.prolonged' || type === 'reservation.over',
      until: clock.now() + CHANGE_MS,
    })
    if (outcome.kind === 'held') return changeElsewhere(leaseId, event, isDone, outcome.lease.holder.pid)
    if (outcome.kind === 'unrecorded' && !MAY_HAVE_ENDED.has(outcome.error.reason)) throw outcome.error
    return settled(leaseId, isDone) ?? silent(leaseId, host.holder.pid)
  }

  const newId = () => ids.at(clock.now())
  const anyLine = createAnyLine({ clock, host })

  return {
    /** The requests that wait for whichever phone is free. */
    anyLine,
    /** The key under which executions own the phone. Rejects with LinkError. */
    phoneOf: (link: Link, call: CallOptions): Promise<string> => deviceOwnershipKey(link, deps.leaseBy, call),
    /** Answers once the caller has the phone. Rejects with JournalError. */
    async create(request: Omit<ReserveRequest, 'leaseId'>): Promise<LeaseAnswer> {
      const leaseId = newId()
      const began = clock.elapsed()
      const reserved = await reserve({ ...request, leaseId })
      if (reserved.kind === 'unrecorded') throw reserved.error
      if (reserved.kind !== 'reserved') {
        const waitedMs = Math.round(clock.elapsed() - began)
        return refused(reserveRefusal(reserved, { ...request, leaseId, waitedMs }, deps))
      }
      const made = read(leaseId)
      if (made?.state !== 'held') return refused(leaseNotFound(leaseId, made))
      if (!request.leave?.aborted) return { ok: true, lease: leaseOf(made) }
      // Nobody hears of it: the phone would be kept for nobody.
      await host.tell(reservationTarget(leaseId), { type: 'reservation.released', requestId: newId() })
      return refused(reserveRefusal({ kind: 'left', why: 'cancelled' }, { ...request, leaseId, waitedMs: 0 }, deps))
    },
    /** Sets the end to so many milliseconds from now. Rejects with JournalError. */
    extend(leaseId: string, forMs: number): Promise<LeaseAnswer> {
      const requestId = newId()
      const event = { type: 'reservation.extended', requestId, forMs }
      return change(leaseId, event, ({ extendedBy }) => extendedBy === requestId)
    },
    /** Rejects with JournalError. */
    async end(leaseId: string): Promise<LeaseAnswer> {
      const event = { type: 'reservation.released', requestId: newId() }
      const ended = await change(leaseId, event, ({ state }) => state === 'released')
      anyLine.lookNow()
      return ended
    },
    /** Those that are held now, the oldest first. Throws JournalError. */
    list: (): Reservation[] =>
      journal.leases
        .list()
        .filter(isReservation)
        .flatMap(grant => {
          const found = read(leaseIdIn(grant) ?? '')
          return found?.state === 'held' ? [leaseOf(found)] : []
        })
        .sort((a, b) => a.since - b.since),
    /**
     * The refusal of a change of the phone that is no execution, and is refused as one would be: by the reservation of
     * another caller, and where the reservation that is named does not hold the phone. Throws JournalError.
     */
    refusalOn(phone: string, deviceId: string, leaseId: string | undefined): ErrorObject | undefined {
      const standing = standingReservation(phone, deps)
      if (leaseId === undefined) return standing && reservedConflict(deviceId, standing, deps)
      const isHeld = standing && leaseIdIn(standing) === leaseId && read(leaseId)?.state === 'held'
      return isHeld ? undefined : leaseRefusal(leaseId, deviceId, deps)
    },
    /** The refusal of what belongs to the holder of this reservation; undefined once that is over. Throws JournalError. */
    conflictWith(leaseId: string, deviceId: string): ErrorObject | undefined {
      const found = read(leaseId)
      const grant = found?.state === 'held' ? journal.leases.owner(reservedKey(found.phone)) : undefined
      return grant && reservedConflict(deviceId, grant, deps)
    },
    /** The reservation if it is held, or why it is not. Throws JournalError. */
    check(leaseId: string): LeaseAnswer {
      const found = read(leaseId)
      return found?.state === 'held' ? { ok: true, lease: leaseOf(found) } : refused(leaseNotFound(leaseId, found))
    },
  }
}

export type Reservations = ReturnType<typeof createReservations>
