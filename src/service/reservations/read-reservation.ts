/** Reservations as the journal has them, whichever process keeps them, and the refusals that name them. */

import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { ReservationContext } from '../../../machines/reservation/reservation-setup.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure } from '../../contracts/failures/failures.ts'
import type { Ownership as Grant } from '../../contracts/records/journal.ts'
import type { LeaseEnd, Reservation } from '../../contracts/reservation.ts'
import {
  type LeaseLabels,
  labelsIn,
  leaseIdIn,
  reservationActor,
  reservedKey,
  userOf,
} from '../../contracts/reservation-grant.ts'
import type { ActorFollower } from '../../runtime/append-as-guest.ts'
import type { Clock } from '../../runtime/clock.ts'
import { statePath } from '../../runtime/fold.ts'
import type { Host } from '../../runtime/host.ts'
import type { LeaseStore } from '../../runtime/ownership/ownership.ts'

// Callers who are refused or wait read the id, the user, the end and the purpose of the reservation in the way.

type NamedLease = Pick<Reservation, 'leaseId' | 'sessionId' | 'flowRunId' | 'keptBy' | 'note'> & {
  readonly expiresAt: number
}

const endText = (at: number): string => new Date(at).toISOString()

/** `reserved by lease 0199... of ann on ci-3 until 2026-05-04T12:00:00.000Z: "nightly"`; an end of 0 is not known. */
export const reservationWords = ({ leaseId, sessionId, flowRunId, keptBy, note, expiresAt }: NamedLease): string => {
  const whose =
    sessionId !== undefined ? ` (session ${sessionId})` : flowRunId !== undefined ? ` (flow run ${flowRunId})` : ''
  const by = keptBy === undefined ? '' : ` of ${keptBy.user} on ${keptBy.machine}`
  const until = expiresAt > 0 ? ` until ${endText(expiresAt)}` : ''
  const what = note === undefined ? '' : `: ${JSON.stringify(note)}`
  return `reserved by lease ${leaseId}${whose}${by}${until}${what}`
}

export interface ReservationSource {
  host: Pick<Host, 'follow'>
  journal: { leases: Pick<LeaseStore, 'owner' | 'list'> }
  clock: Pick<Clock, 'now'>
}

export interface ReadReservation extends ReservationContext {
  labels?: LeaseLabels
  /** `held` where its caller has the phone. */
  state: 'requested' | 'waiting' | 'clearing' | 'held' | 'withdrawn' | LeaseEnd
}

const READY = 'held.ready'

export const reservationTarget = (leaseId: string) => ({
  id: reservationActor(leaseId),
  machine: 'reservation',
  input: { leaseId },
})

/** When its state ends by itself: the time of its caller, or the wait for what runs on the phone. Epoch ms. */
export const endOf = (path: string, { expiresAt, since, clearMs }: ReservationContext): number =>
  path === READY ? expiresAt : since + clearMs

/** So many reservations are read on from where they were left: those of the sessions that one host serves at a time. */
const FOLLOWED_MAX = 100
const followed = new WeakMap<ReservationSource['host'], Map<string, ActorFollower>>()

/** The history of a reservation grows with each extension, and each execution of its caller reads it. */
const followReservation = (leaseId: string, host: ReservationSource['host']): ActorFollower => {
  const ofHost = followed.get(host) ?? new Map<string, ActorFollower>()
  followed.set(host, ofHost)
  const follower = ofHost.get(leaseId) ?? host.follow(reservationTarget(leaseId))
  ofHost.delete(leaseId)
  ofHost.set(leaseId, follower)
  const [oldest] = ofHost.keys()
  if (ofHost.size > FOLLOWED_MAX && oldest !== undefined) ofHost.delete(oldest)
  return follower
}

/**
 * Undefined for an id that no reservation has. One whose process has died counts as interrupted, and one whose time is
 * over as expired, also where its process is frozen and has not recorded that. Throws JournalError.
 */
export const readReservation = (
  leaseId: string,
  { host, journal, clock }: ReservationSource,
): ReadReservation | undefined => {
  const look = () => followReservation(leaseId, host).look().snapshot
  const snapshot = look()
  if (!snapshot) return undefined
  const context = snapshot.context as ReservationContext
  const path = statePath(snapshot.value)
  if (!snapshot.hasTag(IN_FLIGHT)) return { ...context, state: path as ReadReservation['state'] }
  const owner = journal.leases.owner(reservedKey(context.phone))
  if (!owner || leaseIdIn(owner) !== leaseId) {
    // The record that ends it frees the phone: it may have come between the two reads.
    const now = look()
    return now && !now.hasTag(IN_FLIGHT)
      ? { ...(now.context as ReservationContext), state: statePath(now.value) as ReadReservation['state'] }
      : { ...context, state: 'interrupted' }
  }
  if (path !== READY) return { ...context, state: 'clearing' }
  const { expiresAt } = context
  return clock.now() < expiresAt
    ? { ...context, labels: labelsIn(owner), state: 'held' }
    : { ...context, state: 'expired', endedAt: expiresAt }
}

/** As callers see it. */
export const leaseOf = (found: ReadReservation): Reservation => {
  const { leaseId, deviceId, phone, heldSince, expiresAt, sessionId, labels } = found
  return {
    leaseId,
    deviceId,
    phone,
    since: heldSince,
    expiresAt,
    ...(sessionId === null ? {} : { sessionId }),
    ...labels,
  }
}

const timeOf = (at: number): string => new Date(at).toISOString()

const WHY_ENDED: Readonly<Record<string, string>> = {
  released: 'it was given back',
  expired: 'its time was over',
  interrupted: 'the process that kept it ended',
}

/** Nothing is sent: no reservation has the id, or it is over. */
export const leaseNotFound = (leaseId: string, found?: ReadReservation): ErrorObject => {
  const why = found && WHY_ENDED[found.state]
  const isDated = found !== undefined && found.endedAt > 0
  const ended = why === undefined ? {} : { ended: { why: found?.state, ...(isDated ? { at: found.endedAt } : {}) } }
  const message =
    why === undefined
      ? `No reservation with the id ${JSON.stringify(leaseId)} is held.`
      : `The reservation ${leaseId} of ${found?.deviceId} is over: ${why}${isDated ? ` at ${timeOf(found.endedAt)}` : ''}.`
  return failure('LEASE_NOT_FOUND', message, { details: { leaseId, ...ended, dispatched: false } })
}

/** The request names another device than that of its reservation. */
export const leaseOfOther = (leaseId: string, deviceId: string, leasedDeviceId: string): ErrorObject =>
  failure('LEASE_OF_OTHER_DEVICE', `The reservation ${leaseId} is of ${leasedDeviceId}, and not of ${deviceId}.`, {
    details: { leaseId, deviceId, leasedDeviceId, dispatched: false },
  })

/** Why a request with this lease may not begin on the device; its phone was found not to be held by it. */
export const leaseRefusal = (leaseId: string, deviceId: string, source: ReservationSource): ErrorObject => {
  const found = readReservation(leaseId, source)
  return found?.state === 'held' ? leaseOfOther(leaseId, deviceId, found.deviceId) : leaseNotFound(leaseId, found)
}

/** Another caller has reserved the device. */
export const reservedConflict = (deviceId: string, grant: Grant, source: ReservationSource): ErrorObject => {
  const leaseId = leaseIdIn(grant) ?? ''
  const user = userOf(grant)
  const expiresAt = readReservation(leaseId, source)?.expiresAt ?? 0
  const labels = labelsIn(grant)
  const words = reservationWords({ leaseId, ...user, ...labels, expiresAt })
  const holder = { pid: grant.holder.pid, since: grant.since, leaseId, ...user, ...labels }
  return failure('EXECUTION_CONFLICT_IN_FLIGHT', `Device ${deviceId} is ${words}.`, {
    details: { deviceId, holder: { ...holder, ...(expiresAt > 0 ? { expiresAt } : {}) } },
    hint: 'Send the request with its id in `Svc-Lease` if the reservation is yours; else wait with `waitMs`, or use another device.',
  })
}
