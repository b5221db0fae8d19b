/** Limits of what is asked of the pages in web views. */

export const PAGE_VALUE_CHARS_MAX = 10_000
/** Scripts of test clients have up to 50,000 characters; an execution has room for little more than this. */
export const PAGE_SCRIPT_CHARS_MAX = 90_000
/** The execution around it has 10 s more for the way to the phone. */
export const PAGE_SCRIPT_MS = { min: 0, max: 110_000, default: 30_000 } as const
export const PAGE_FOUND = { min: 1, max: 1_000, default: 1_000 } as const
export const PAGE_FRAME_INDEX_MAX = 1_000
/** So many elements are known to a page by their handles; the oldest are forgotten. */
export const PAGE_HANDLES_MAX = 10_000
