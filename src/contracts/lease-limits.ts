/** The numbers of reservations: how long one may last, and how long a request for one may wait. No import: clients load this. */

export const LEASE_MS = { min: 1_000, max: 24 * 60 * 60_000 } as const
/** Of a request for a phone that is busy, or reserved by another caller. */
export const LEASE_WAIT_MS = { min: 0, max: 10 * 60_000 } as const
