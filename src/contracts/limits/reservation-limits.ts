/** The numbers of reservations: how long one may last, and how long a request for one may wait. No import: clients load this. */

/** Characters of a note, which stands in one line of refusals and lists. */
export const LEASE_NOTE_CHARS_MAX = 200
export const LEASE_MS = { min: 1_000, max: 24 * 60 * 60_000 } as const
/**
 * How long after its end the process that keeps a reservation has to record that, before others do it in its place. Covers
 * timers that are late, and small corrections of the wall clock.
 */
export const LEASE_GRACE_MS = 500
/** Of a request for a phone that is busy, or reserved by another caller. */
export const LEASE_WAIT_MS = { min: 0, max: 10 * 60_000 } as const
