/** Times and durations for people. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** In one unit: `just now`, `3 s ago`, `5 min ago`, `2 h ago`, `4 d ago`. */
export const ago = (at: number, now: number): string => {
  const ms = now - at
  if (ms < SECOND) return 'just now'
  const [unit, size] = ms < MINUTE ? ['s', SECOND] : ms < HOUR ? ['min', MINUTE] : ms < DAY ? ['h', HOUR] : ['d', DAY]
  return `${Math.floor(ms / Number(size))} ${unit} ago`
}

/** The distance of local time from UTC in minutes, positive to the east. */
export type LocalOffset = (at: number) => number

/** `14:03:20`, with the date where that is another day than `now`. */
export const localTime = (at: number, now: number, offset: LocalOffset): string => {
  const local = (time: number) => new Date(time + offset(time) * MINUTE).toISOString()
  const [date = '', time = ''] = local(at).split('T')
  return local(now).startsWith(date) ? time.slice(0, 8) : `${date} ${time.slice(0, 8)}`
}
