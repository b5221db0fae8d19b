/** Reserves a phone: at once, behind what runs on it, or behind others who reserve it. */

import { hostname, userInfo } from 'node:os'
import type { ReservationEmitted } from '../../../machines/reservation/reservation-setup.ts'
import type { WithdrawnBecause } from '../../contracts/events/reservation.ts'
import { WAITING_MAX } from '../../contracts/limits/limits.ts'
import type { Ownership as Grant } from '../../contracts/records/journal.ts'
import { type ReservationUser, reservedKey } from '../../contracts/reservation-grant.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AskResult, Host } from '../../runtime/host.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { endOverdueOn } from './end-expired.ts'
import { type ReadReservation, reservationTarget } from './read-reservation.ts'
import { unlessBusy } from './unless-reserved.ts'
import type { WaitingLine } from './waiting-line.ts'

/** A user without an entry in the system's list has no name. */
const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

/** For the grant of a reservation that this process keeps. */
const labelsFor = (note: string | undefined) => ({
  user: userName(),
  machine: hostname(),
  ...(note === undefined ? {} : { text: note }),
})

export interface ReserveRequest {
  leaseId: string
  deviceId: string
  /** The key under which executions own the phone. */
  phone: string
  forMs: number
  waitMs: number
  sessionId: string | null
  flowRunId?: ReservationUser['flowRunId']
  /** The purpose, in words. */
  note?: string | undefined
  /** Aborted when nobody hears the answer any more. */
  leave?: AbortSignal | undefined
}

export type Reserved =
  | { kind: 'reserved' }
  /** Somebody else has the phone; `grant` is theirs. */
  | { kind: 'held'; grant: Grant }
  /** Others wait to reserve it, and come first. */
  | { kind: 'behind'; first: ReadReservation }
  /** The queue of the phone is full. */
  | { kind: 'full' }
  /** The caller has left, or this process ends. */
  | { kind: 'left'; why: 'cancelled' | 'gone' }
  | { kind: 'unrecorded'; error: JournalError }

interface ReserveOptions {
  host: Host
  journal: Journal
  clock: Clock
  waiting: WaitingLine
}

/** The machine ends its own waits; this is for where that fails. */
const UNANSWERED_MS = 1_000

export const createReserve = ({ host, journal, clock, waiting }: ReserveOptions) => {
  const withdraw = (leaseId: string, why: WithdrawnBecause) =>
    host.tell(reservationTarget(leaseId), { type: 'reservation.withdrawn', why })

  const resultOf = (outcome: AskResult<ReservationEmitted>, { phone }: ReserveRequest): Reserved => {
    switch (outcome.kind) {
      case 'answered': {
        if (outcome.emitted.type === 'reservation.ready') return { kind: 'reserved' }
        const grant = journal.leases.read(phone)
        return grant ? { kind: 'held', grant } : { kind: 'left', why: 'gone' }
      }
      case 'held':
        return { kind: 'held', grant: outcome.lease }
      case 'unrecorded':
        return { kind: 'unrecorded', error: outcome.error }
      case 'broken':
        return {
          kind: 'unrecorded',
          error:
            outcome.error instanceof JournalError
              ? outcome.error
              : new JournalError('failed', 'The reservation broke off'),
        }
      default:
        return { kind: 'left', why: 'gone' }
    }
  }

  /** A reservation that is over stands in nobody's way, though its process is frozen. */
  const ended = (phone: string): Promise<JournalError | undefined> =>
    endOverdueOn(phone, { host, journal, clock }).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof JournalError) return error
        throw error
      },
    )

  /** With `clearMs` nothing new begins on the phone, and what runs there is waited for so long. */
  const take = async (request: ReserveRequest, clearMs: number): Promise<Reserved> => {
    const { leaseId, deviceId, phone, forMs, sessionId, flowRunId, leave } = request
    const [first] = waiting.look(phone)
    if (first && first.leaseId !== leaseId) return { kind: 'behind', first }
    const problem = await ended(phone)
    if (problem) return { kind: 'unrecorded', error: problem }
    const note = {
      ...{ leaseId, deviceId },
      ...(sessionId === null ? {} : { sessionId }),
      ...(flowRunId === undefined ? {} : { flowRunId }),
      ...labelsFor(request.note),
    }
    const target = { ...reservationTarget(leaseId), ownershipKey: reservedKey(phone), note }
    const onLeave = () => void withdraw(leaseId, 'cancelled')
    leave?.addEventListener('abort', onLeave, { once: true })
    try {
      const outcome = await host.ask<ReservationEmitted>(
        { ...target, ...(clearMs > 0 ? {} : { unless: unlessBusy(phone) }) },
        { type: 'reservation.taken', deviceId, phone, forMs, sessionId, clearMs },
        {
          matches: ({ type }) => type === 'reservation.ready' || type === 'reservation.over',
          until: clock.now() + clearMs + UNANSWERED_MS,
        },
      )
      if (outcome.kind === 'expired') await withdraw(leaseId, 'overdue')
      return resultOf(outcome, request)
    } finally {
      leave?.removeEventListener('abort', onLeave)
    }
  }

  /** Resolves once the caller has left, or this process begins to end. */
  const leaving = ({ leave }: ReserveRequest) => {
    let end = (_: 'cancelled' | 'gone') => {}
    const left = new Promise<'cancelled' | 'gone'>(resolve => {
      end = resolve
    })
    const onLeave = () => end('cancelled')
    leave?.addEventListener('abort', onLeave, { once: true })
    if (leave?.aborted) onLeave()
    const stopListening = host.onStop(async () => end('gone'))
    return {
      left,
      forget() {
        leave?.removeEventListener('abort', onLeave)
        stopListening()
      },
    }
  }

  /** The first of those that wait takes the phone once it is not reserved any more. */
  const takeInTurn = async (
    request: ReserveRequest,
    refused: Reserved,
    leftMs: () => number,
    left: Promise<'cancelled' | 'gone'>,
  ): Promise<Reserved> => {
    const { leaseId, deviceId, phone, forMs, sessionId, waitMs } = request
    const place = waiting.enter(request)
    let last = refused
    try {
      if (place.isFull()) return { kind: 'full' }
      const queued = { type: 'reservation.queued', deviceId, phone, forMs, sessionId, waitMs, holder: host.holder }
      const delivery = await host.tell(reservationTarget(leaseId), queued)
      if (delivery.kind !== 'told') return delivery.kind === 'held' ? { kind: 'held', grant: delivery.lease } : delivery
      // Others, also of other processes, may have joined meanwhile.
      if (waiting.look(phone).findIndex(one => one.leaseId === leaseId) >= WAITING_MAX) {
        await withdraw(leaseId, 'refused')
        return { kind: 'full' }
      }
      for (;;) {
        const changed = place.next()
        const msLeft = leftMs()
        if (msLeft <= 0) break
        if (place.line()[0]?.leaseId === leaseId && !place.isReserved()) {
          last = await take(request, msLeft)
          if (last.kind !== 'held' && last.kind !== 'behind') return last
        }
        const why = await Promise.race([changed.then(() => undefined), left])
        if (why) {
          await withdraw(leaseId, why)
          return { kind: 'left', why }
        }
      }
      await withdraw(leaseId, 'overdue')
      return last
    } finally {
      place.leave()
    }
  }

  return async (request: ReserveRequest): Promise<Reserved> => {
    const { phone, waitMs } = request
    const began = clock.elapsed()
    const leftMs = () => Math.floor(waitMs - (clock.elapsed() - began))
    const first = await take(request, 0)
    if (waitMs === 0 || (first.kind !== 'held' && first.kind !== 'behind')) return first
    const { left, forget } = leaving(request)
    try {
      const isBusy = first.kind === 'held' && first.grant.key === phone
      const second = isBusy && leftMs() > 0 ? await take(request, leftMs()) : first
      // A request that was refused after it had the reservation has used up its time.
      const isOver = second !== first && second.kind === 'held' && second.grant.key === phone
      return isOver || (second.kind !== 'held' && second.kind !== 'behind')
        ? second
        : await takeInTurn(request, second, leftMs, left)
    } finally {
      forget()
    }
  }
}
