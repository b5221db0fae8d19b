/** How large a picture may be that svc decodes. */

/** Twice as many as the largest screens have: a few bytes may announce billions. */
export const PICTURE_PIXELS_MAX = 64 * 1_024 * 1_024
