/** Numbers of matchers: the pattern of a label, and the place among the matches. */

/** A repeat with a count stands for as many copies. */
export const PATTERN_REPEATS_MAX = 1_000
export const PATTERN_PARTS_MAX = 1_000
/** A longer label does not match a pattern. */
export const PATTERN_LABEL_CHARS_MAX = 10_000
export const MATCHER_INDEX = { min: -9_999, max: 9_999 } as const
