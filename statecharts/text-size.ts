/** The sizes of the texts in a picture as it is drawn, for the generator and for the pages that show it. */

export const TEXT_PX = 11

/** Smaller text is hard to read: pages open a chart whole only while its text stays at this size. */
export const LEAST_TEXT_PX = 9
