/** The times that the laws speak of, in ms, with room for a machine that has much else to do. */
import { ENVELOPE_GRACE_MS } from '../../src/contracts/limits.ts'

/** Starting a process or a daemon included. */
const SLACK_MS = 10_000
export const answerWithin = (timeoutMs: number): number => timeoutMs + ENVELOPE_GRACE_MS + SLACK_MS
/** A caller that has heard nothing is given up on later than it breaks the law. */
export const givenUpAfter = (timeoutMs: number): number => answerWithin(timeoutMs) + 5_000
/** "At once": well below the shortest time after which an answer would be missed (1,000 + 5,000). */
export const AT_ONCE_MS = 4_000
/** Of one probe. */
export const PROBE_TIMEOUT_MS = 2_000
/** Until a device is free again: what was under way may take all of its time, and faults may hit the first probes. */
export const FREE_WITHIN_MS = 45_000
