/** The numbers of recordings of a screen: how long they and their parts may be, and how long each step waits. */
export const RECORDING_MS_MIN = 1_000
/** A recording that nobody stops ends then. */
export const RECORDING_MS_MAX = 4 * 60 * 60_000
/** `screenrecord` takes 180 s at most; ten of them are left for a slow phone. */
export const SEGMENT_MS = 170_000
/** A phone that is turned again and again ends its recording here. */
export const SEGMENTS_MAX = 1_000
export const BIT_RATE_MIN = 100_000
export const BIT_RATE_MAX = 100_000_000
/** Bits in a second; half a minute of a busy screen has 15 MB. */
export const BIT_RATE = 4_000_000
/** Left free on the phone beside what a segment can take. */
export const SPACE_SPARE_BYTES = 50 * 1_024 * 1_024
/** How soon a phone that records is looked at again. */
export const RECORDING_LOOK_MS = 2_000
/** The same while something is about to happen: a start, the end of a segment. */
export const RECORDING_SOON_MS = 150
/** Bounds one question to the phone. */
export const RECORDING_ASK_MS = 15_000
/** `screenrecord` opens its file within this time, or has failed. */
export const SEGMENT_START_MS = 10_000
/** After SIGINT, `screenrecord` writes the index of its file: 0.3 to 3 s. */
export const SEGMENT_END_MS = 15_000
/** A pull that brings nothing for so long has lost its link. */
export const PULL_STALL_MS = 15_000
/** A phone that does not come back within this time ends its recording. */
export const LINK_BACK_MS = 10 * 60_000
/** The end of a recording, and what a dead process left, wait for the phone so long. */
export const PHONE_BACK_MS = 20_000
/** The longest that a stop is waited for: the phone, its last segment, and those that are still to be pulled. */
export const RECORDING_STOP_MS = 5 * 60_000
/** A start waits for the phone, for its first segment, and for the end of an attempt that failed. */
export const RECORDING_START_MS = 2 * PHONE_BACK_MS + 3 * SEGMENT_START_MS + RECORDING_STOP_MS
/** How soon a request to stop that another process made is noticed. */
export const STOP_LOOK_MS = 500
/** A manifest is far smaller. */
export const MANIFEST_BYTES_MAX = 4 * 1_024 * 1_024
