/** The signals between whoever manages a daemon and the daemon. */

/** End in order: take nothing new, give what runs a while to finish. */
export const END = 'SIGTERM'
/** The same, from the terminal that a daemon in the foreground belonged to. */
export const HANG_UP = 'SIGHUP'
/**
 * To a daemon at work: end yourself once nothing runs any more. To one that is ending already: now, what runs is
 * recorded as interrupted.
 */
export const RETIRE = 'SIGUSR2'
export const KILL = 'SIGKILL'
