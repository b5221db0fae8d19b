/** Reservations of phones: one phone for one caller over many calls, until it is given back or its time is over. */
import * as v from 'valibot'
import { unansweredEntries } from './fleet.ts'
import { closedObject, openObject } from './json/objects.ts'
import { count, integer, nonBlank } from './json/scalars.ts'
import { LEASE_MS, LEASE_NOTE_CHARS_MAX, LEASE_WAIT_MS } from './limits/reservation-limits.ts'

const forMs = integer(LEASE_MS)

/** The id of a WebDriver session: a UUID of any version. */
const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** An attempt is named by its run, and by the positions of the flow and of the attempt. */
const FLOW_RUN_ID = /^[0-9a-f-]{36}\.\d{1,9}\.\d{1,9}$/
const CONTROL = /\p{C}/u

/** One line that a person reads. */
export const LeaseNote = v.pipe(
  nonBlank,
  v.maxLength(LEASE_NOTE_CHARS_MAX),
  v.check(text => !CONTROL.test(text), 'must be one line without control characters'),
)

export const LeaseBody = closedObject({
  /** A serial, in a fleet also `<serial>@<host>` or `any:<labels>`. */
  device: nonBlank,
  /** The reservation ends then by itself. */
  forMs,
  /** Waits so long for a phone that is busy or reserved; without it such a phone refuses at once. */
  waitMs: v.exactOptional(integer(LEASE_WAIT_MS)),
  /** The purpose of the reservation, in words for those who are refused. */
  note: v.exactOptional(LeaseNote),
  /** The session that the phone is reserved for. */
  sessionId: v.exactOptional(v.pipe(v.string(), v.regex(SESSION_ID, 'must be a UUID in lower case'))),
  /** The attempt of a flow that the phone is reserved for. */
  flowRunId: v.exactOptional(v.pipe(v.string(), v.regex(FLOW_RUN_ID, 'must be the id of an attempt of a flow'))),
})
export type LeaseBody = v.InferOutput<typeof LeaseBody>

/** Counts from now: it may also shorten what is left. */
export const LeaseExtension = closedObject({ forMs })
export type LeaseExtension = v.InferOutput<typeof LeaseExtension>

/** Times are those of the host that has the phone, in epoch ms. */
export const Reservation = openObject({
  leaseId: v.string(),
  deviceId: v.string(),
  /** In a fleet: the host of the phone. */
  host: v.exactOptional(v.string()),
  /** Names the phone, by whichever cable or network it is reached. */
  phone: v.exactOptional(v.string()),
  since: count,
  expiresAt: count,
  sessionId: v.exactOptional(v.string()),
  /** The attempt of a flow that keeps it; it gives the phone back at its end. */
  flowRunId: v.exactOptional(v.string()),
  /** The purpose of the reservation, in the words of its caller. */
  note: v.exactOptional(v.string()),
  /** The user and the machine of the process that keeps the reservation. */
  keptBy: v.exactOptional(openObject({ user: v.string(), machine: v.string(), pid: count })),
})
export type Reservation = v.InferOutput<typeof Reservation>

export const LeaseResponse = openObject({ ok: v.literal(true), lease: Reservation })
export const LeasesResponse = openObject({
  ok: v.literal(true),
  leases: v.array(Reservation),
  count,
  ...unansweredEntries,
})

/** Why a reservation is over. */
export const LEASE_ENDS = ['released', 'expired', 'interrupted'] as const
export type LeaseEnd = (typeof LEASE_ENDS)[number]

/** By their names in the API document. */
export const LEASE_SCHEMAS = { LeaseBody, LeaseExtension, Lease: Reservation, LeaseResponse, LeasesResponse }
