/** The compact text of a snapshot: one line for each node of the screen, or only what changed since an earlier one. */

const DIFFERENCE = /^screen \d+ \S+ \((changes|unchanged) since/

/** Undefined for another format, and for a difference, which is not a whole screen. */
export const wholeCompactScreen = ({ format, text }: Readonly<Record<string, string>>): string | undefined =>
  format === 'compact' && text !== undefined && !DIFFERENCE.test(text) ? text : undefined
