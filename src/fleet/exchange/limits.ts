/** Every number of the exchange: sizes, bounds and waits. */

// Sizes
/** A request travels in one message: NATS takes 1 MiB unless its servers were told otherwise. */
export const REQUEST_BYTES_MAX = 256 * 1_024
export const ANSWER_BYTES_MAX = 64 * 1_024 * 1_024
/** One message carries this much of a long answer. */
export const PART_BYTES = 256 * 1_024
/** Bounds the longest answer, over servers that accept only small messages. */
export const PARTS_MAX = 16 * 1_024
/** A head describes a body and travels in the same message. */
export const HEAD_BYTES_MAX = 64 * 1_024
export const PATH_CHARS_MAX = 16 * 1_024
export const HEADERS_MAX = 64
export const HEADERS_CHARS_MAX = 32 * 1_024
/** The longest that an asker may want to wait. */
export const WITHIN_MS_MAX = 2 * 60 * 60_000

// The asking side
/** A request that nobody has confirmed is sent again. */
export const REPEAT_MS = 500
/** After the servers said that nobody listens: interest spreads late between them. */
export const NOBODY_REPEAT_MS = 100
export const NOBODY_MS = 1_000
/** How long an ask waits for a link before it has sent anything. */
export const DOWN_MS = 3_000
/** How often the answer to a confirmed request is looked for, should its message have been lost. */
export const LOOK_MS = 1_000
export const ALIVE_MS = 250
export const NOT_ALIVE_MAX = 2
/** How long another process may speak for the host before the one that was asked counts as gone. */
export const OTHER_INSTANCE_MS = 1_500
/** How long an ask that was cancelled waits for what the host makes of it. */
export const CANCEL_MS = 2_000
/** Parts that are on their way at once. */
export const WINDOW_PARTS = 4
/** When no part arrives for this long, the missing ones are asked for again; the wait doubles each time. */
export const STALL_MS = { first: 1_000, longest: 8_000 } as const

// The serving side
/** An asker that waits looks every second; one that is silent for so long may be gone. */
export const ASKER_SILENT_MS = 10_000
/** Requests of one peer that are being handled at once; more are answered with 503. */
export const HANDLED_PER_PEER_MAX = 256
/** Requests of one peer that are remembered. What cannot be remembered is not taken. */
export const REMEMBERED_PER_PEER_MAX = 10_000
export const REMEMBERED_MAX = 50_000
/** Bounds all kept answers together; the one not fetched for longest goes first. */
export const ANSWERS_BYTES_MAX = 128 * 1_024 * 1_024
/** A request that comes in this long after its asker has given up is not taken: clocks may differ by as much. */
export const LATE_MS = 5_000
/** How long an answer is kept that its asker did not confirm. */
export const KEEP_MS = 10 * 60_000
export const SWEEP_MS = 5_000
/** Messages with parts that wait to be sent; an asker that gets none asks again. */
export const OUTBOX_MAX = 1_024
/** Bytes sent before the servers have confirmed those sent before. */
export const BURST_BYTES = 1_024 * 1_024
export const FLUSH_MS = 2_000
/** When the host leaves: the wait for requests being handled, then for answers that were not fetched. */
export const CLOSE_MS = { handled: 5_000, fetched: 1_000 } as const
