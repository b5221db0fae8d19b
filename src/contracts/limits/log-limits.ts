/** The limits of reading the log of a device. */

/** The lines of the log in one answer: at most, and where the caller does not say. */
export const LOG_LINES = { max: 10_000, default: 1_000 } as const
/** How long one answer waits for lines at most. */
export const LOG_WAIT_MS_MAX = 20_000
/** So many may follow logs over one server at once. */
export const LOG_READERS = { perDevice: 16, perServer: 64 } as const
/** So much of a log is held for one slow reader. The rest waits in the buffer of the device, where it may be lost. */
export const LOG_QUEUE_BYTES = 1_024 * 1_024
