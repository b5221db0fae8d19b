/** How long something took, for people. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const withUnits = (
  value: number,
  [unit, size]: readonly [string, number],
  [small, part]: readonly [string, number],
) => {
  const rest = Math.floor((value % size) / part)
  return `${Math.floor(value / size)} ${unit}${rest === 0 ? '' : ` ${rest} ${small}`}`
}

/** `340 ms`, `1.2 s`, `2 min 5 s`, `3 h 10 min`, `2 d 4 h`. */
export const duration = (ms: number): string => {
  const value = Math.max(0, ms)
  if (value < SECOND) return `${Math.round(value)} ms`
  if (value < MINUTE) return `${Math.floor(value / 100) / 10} s`
  if (value < HOUR) return withUnits(value, ['min', MINUTE], ['s', SECOND])
  if (value < DAY) return withUnits(value, ['h', HOUR], ['min', MINUTE])
  return withUnits(value, ['d', DAY], ['h', HOUR])
}
