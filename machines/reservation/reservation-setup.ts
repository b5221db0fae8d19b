/** The vocabulary of the reservation machine: its context, what it emits, its ports, actions and guards. */
import { assign, emit, setup } from 'xstate'
import type { ReservationEvent } from '../../src/contracts/events/reservation.ts'
import type { OwnershipHolder } from '../../src/contracts/records/journal.ts'
import type { LeaseEnd } from '../../src/contracts/reservation.ts'
import { type DeadlineInput, ignore, port } from '../port.ts'

export interface ReservationContext {
  leaseId: string
  deviceId: string
  /** The key under which executions own the phone. */
  phone: string
  sessionId: string | null
  forMs: number
  /** When the time that counts now began: the request, the reservation, or its last extension. */
  since: number
  /** When its caller got the phone; 0 before. */
  heldSince: number
  /** By the wall clock of that moment; 0 before the caller has the phone. */
  expiresAt: number
  /** Of a request that waits: how long, and its process. */
  waitMs: number
  holder: OwnershipHolder | null
  /** How long the end of what runs on the phone is waited for. */
  clearMs: number
  /** The newest extension. */
  extendedBy: string | null
  endedAt: number
}

export type ReservationEmitted =
  /** The caller has the phone. */
  | { type: 'reservation.ready'; leaseId: string }
  | { type: 'reservation.prolonged'; leaseId: string; requestId: string }
  | { type: 'reservation.over'; leaseId: string; end: LeaseEnd | 'withdrawn' }

export interface KeeperInput {
  leaseId: string
}

export interface ClearingInput {
  phone: string
}

export const reservationSetup = setup({
  types: {
    context: {} as ReservationContext,
    events: {} as ReservationEvent,
    emitted: {} as ReservationEmitted,
    input: {} as { leaseId: string },
    tags: {} as 'in-flight' | 'waiting-to-reserve',
  },
  actors: {
    keeper: port<KeeperInput>('keeper'),
    clearing: port<ClearingInput>('clearing'),
    deadline: port<DeadlineInput>('deadline'),
  },
  actions: {
    queue: assign(({ context, event }) => {
      if (event.type !== 'reservation.queued') return context
      const { deviceId, phone, forMs, sessionId, waitMs, holder, at } = event
      return { ...context, deviceId, phone, forMs, sessionId, waitMs, holder, since: at }
    }),
    take: assign(({ context, event }) => {
      if (event.type !== 'reservation.taken') return context
      const { deviceId, phone, forMs, sessionId, clearMs, at } = event
      return { ...context, deviceId, phone, forMs, sessionId, clearMs, holder: null, since: at }
    }),
    hold: assign(({ context, event: { at } }) => ({
      ...context,
      since: at,
      heldSince: at,
      expiresAt: at + context.forMs,
    })),
    extend: assign(({ context, event }) => {
      if (event.type !== 'reservation.extended') return context
      const { at, forMs, requestId } = event
      return { ...context, since: at, forMs, expiresAt: at + forMs, extendedBy: requestId }
    }),
    end: assign({ endedAt: ({ event }) => event.at }),
    tellReady: emit(({ context: { leaseId } }) => ({ type: 'reservation.ready' as const, leaseId })),
    tellExtension: emit(({ context: { leaseId, extendedBy } }) => ({
      type: 'reservation.prolonged' as const,
      leaseId,
      requestId: extendedBy ?? '',
    })),
    tellEnd: emit(({ context: { leaseId } }, { end }: { end: LeaseEnd | 'withdrawn' }) => ({
      type: 'reservation.over' as const,
      leaseId,
      end,
    })),
    ignore,
  },
  guards: {
    isClear: ({ event }) => event.type === 'reservation.taken' && event.clearMs === 0,
  },
})

export const over = (end: LeaseEnd | 'withdrawn') => ['end' as const, { type: 'tellEnd' as const, params: { end } }]
