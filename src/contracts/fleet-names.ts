/** The allowed names of fleets, hosts and labels. */

/** Both are part of NATS subjects, and so hold nothing that has a meaning there. */
export const FLEET_NAME = /^[a-z0-9][a-z0-9-]{0,30}$/
export const FLEET_HOST = /^[a-z0-9][a-z0-9-]{0,62}$/

/** `key=value` of `--fleet-label`, and what a device says about itself. */
export const LABEL_KEY = /^[a-z][a-z0-9._-]{0,30}$/
export const LABEL_VALUE_CHARS_MAX = 128
