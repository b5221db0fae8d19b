/** The journal vocabulary of the reservation of one phone. */
import * as v from 'valibot'
import { OwnershipHolder } from '../records/journal.ts'
import { DeadlinePassed, event, PortFailed, text, time } from './event.ts'

/** What is reserved, for how long, and for whom; in every event that may begin a reservation. */
const wanted = {
  deviceId: text,
  /** The key under which executions own the phone. */
  phone: text,
  forMs: time,
  sessionId: v.nullable(text),
}

/** Why a request for a phone ended before the caller had it. */
export const WITHDRAWN_BECAUSE = ['overdue', 'cancelled', 'gone', 'refused'] as const
export type WithdrawnBecause = (typeof WITHDRAWN_BECAUSE)[number]

export const ReservationEvent = v.variant('type', [
  /** The phone is reserved already: the request waits behind those that were recorded before. */
  event('reservation.queued', { ...wanted, waitMs: time, holder: OwnershipHolder }),
  /** From now on nobody else begins anything on the phone. `clearMs` waits for what runs there; 0 where nothing does. */
  event('reservation.taken', { ...wanted, clearMs: time }),
  /** What ran on the phone has ended. */
  event('phone.cleared', {}),
  event('reservation.extended', { requestId: text, forMs: time }),
  event('reservation.released', { requestId: text }),
  event('reservation.withdrawn', { why: v.picklist(WITHDRAWN_BECAUSE) }),
  /** The process that keeps the reservation is told to end. */
  event('host.closing', {}),
  event('reservation.interrupted', {}),
  DeadlinePassed,
  PortFailed,
])
export type ReservationEvent = v.InferOutput<typeof ReservationEvent>
