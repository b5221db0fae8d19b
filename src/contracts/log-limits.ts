/** The limits of reading the log of a device. */

/** The lines of the log in one answer: at most, and where the caller does not say. */
export const LOG_LINES = { max: 10_000, default: 1_000 } as const
/** How long one answer waits for lines at most. */
export const LOG_WAIT_MS_MAX = 20_000
