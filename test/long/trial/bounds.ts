/** The times that the laws speak of, in ms, with room for a machine that has much else to do. */

import { MOVES_MAX } from '../../../machines/test-run/test-run-queue.ts'
import { ENVELOPE_GRACE_MS, LEASE_EXPIRES_MS } from '../../../src/contracts/limits/limits.ts'
import type { Step } from './plan.ts'

/** Starting a process or a daemon included. */
const SLACK_MS = 10_000
export const answerWithin = (timeoutMs: number): number => timeoutMs + ENVELOPE_GRACE_MS + SLACK_MS
/** What breaks beside the kills holds callers up for so long at most. */
const TROUBLES_MS_MAX = 15_000
/** A caller that has heard nothing is given up on later than it breaks the law. */
export const givenUpAfter = (timeoutMs: number): number => answerWithin(timeoutMs) + TROUBLES_MS_MAX + 5_000
/** What a command of a flow may take, with the grace in which the answer of a lost phone may still come. */
const FLOW_COMMAND_MS = 55_000
const WAIT_FOR_PHONE_MS = 60_000
/** A flow waits for its phone, and begins again as often as it may where that is lost; a session has three requests. */
const LONG_MS = { flow: WAIT_FOR_PHONE_MS + (1 + MOVES_MAX) * FLOW_COMMAND_MS, webdriver: 90_000 }
/** How long what a step asks for may take. */
export const timeOf = ({ surface, timeoutMs }: Pick<Step, 'surface' | 'timeoutMs'>): number =>
  surface === 'flow' || surface === 'webdriver' ? LONG_MS[surface] : timeoutMs
/** "At once": well below the shortest time after which an answer would be missed (1,000 + 5,000). */
export const AT_ONCE_MS = 4_000
/** Of one probe. */
export const PROBE_TIMEOUT_MS = 2_000
/** Until a device is free again: what was under way may take all of its time, and faults may hit the first probes. */
export const FREE_WITHIN_MS = 45_000
/** Nobody here can see that a process of a container is gone: its phones are free once its leases are too old. */
export const FREE_AFTER_CONTAINER_MS = FREE_WITHIN_MS + LEASE_EXPIRES_MS
