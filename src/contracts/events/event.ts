/** The entries of every journal event: a type in the past tense and the time the host gave it. */
import * as v from 'valibot'

export const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
export const text = v.string()

/** One event shape: `event('child.exited', { exitCode })`. `at` is stamped by the host, never by a machine. */
export const event = <const T extends string, const E extends v.ObjectEntries>(type: T, entries: E) =>
  v.strictObject({ type: v.literal(type), at: time, ...entries })

/** An event that brings large JSON along. The journal keeps a body apart by digest, and machines never read it. */
export const eventWithBody = <const T extends string, const E extends v.ObjectEntries>(type: T, entries: E) =>
  v.strictObject({ type: v.literal(type), at: time, ...entries, body: v.optional(v.unknown()) })

/** A wait has reached its end. */
export const DeadlinePassed = event('deadline.passed', {})

/** A port broke in a way it has no event for. */
export const PortFailed = event('port.failed', { port: text, message: text })

/** The event as its sender writes it: without the time. */
export type Unstamped<E> = E extends { at: number } ? Omit<E, 'at'> : E
