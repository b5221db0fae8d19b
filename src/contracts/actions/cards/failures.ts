/** The failures that several actions have. */

export const CONTAINER_FAILURES = ['CONTAINER_NOT_FOUND', 'CONTAINER_NOT_SCROLLABLE', 'GESTURE_FAILED'] as const

/** The screen gave no hierarchy: nothing is known of what is on it. Waits take that for `not there yet`. */
export const NO_HIERARCHY = 'SNAPSHOT_HIERARCHY_UNAVAILABLE'

/** The element of a matcher is gone, or no longer told apart. Nothing was touched. */
export const STALE = 'REF_STALE'

/** A step fails with these where its matcher is an element of a page. */
export const PAGE_FAILURES = ['PAGE_NOT_FOUND', 'PAGE_UNREADABLE', 'PAGE_REFUSED'] as const
