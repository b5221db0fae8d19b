/** The times and the allowed names of a fleet. */

// The lease of a host: it has lapsed by its holder's clocks long before anyone may fence it
export const HOST_LEASE_RENEW_MS = 2_000
/** From the beginning of the write that proved it. */
export const HOST_LEASE_MS = 6_000
/** A lease whose revision has not changed for so long, seen by the clock of another host, may be fenced. */
export const FENCE_AFTER_MS = 10_000
/** Limits one compare-and-set write; an undecided one is read back and tried again. */
export const FLEET_WRITE_MS = 2_000

export const BEAT_MS = 2_000
/** New requests treat a host as gone after this long with no beat. */
export const HOST_SILENT_MS = 6_500

/** How often the debug bridge is asked what is connected. */
export const PRESENCE_MS = 1_000
/** How often the owner of a phone is looked at by a host that sees it, too. */
export const HOLDER_LOOK_MS = 1_000
/** How often everything is read again, in case a beat or a record was missed. */
export const DIRECTORY_SYNC_MS = 30_000

export const FLEET_JOIN_MS = 30_000
/** How long a request waits for the phones and hosts of a fleet that has only just been joined. */
export const FLEET_SETTLE_MS = 3_000

/** Both are part of NATS subjects, and so hold nothing that has a meaning there. */
export const FLEET_NAME = /^[a-z0-9][a-z0-9-]{0,30}$/
export const FLEET_HOST = /^[a-z0-9][a-z0-9-]{0,62}$/

/** `key=value` of `--fleet-label`, and what a device says about itself. */
export const LABEL_KEY = /^[a-z][a-z0-9._-]{0,30}$/
export const LABEL_VALUE_CHARS_MAX = 128
