/** Times, durations and names as the page writes them. */

const two = (value: number) => String(value).padStart(2, '0')

export const clockTime = (at: number): string => {
  const date = new Date(at)
  const ms = String(date.getMilliseconds()).padStart(3, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`
}

export const dateTime = (at: number): string => {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockTime(at)}`
}

/** The time alone for what is of the same day as `now`, else the date with it. */
export const shortTime = (at: number, now: number): string => {
  const [then, today] = [new Date(at), new Date(now)]
  const clock = `${two(then.getHours())}:${two(then.getMinutes())}:${two(then.getSeconds())}`
  return then.toDateString() === today.toDateString()
    ? clock
    : `${two(then.getMonth() + 1)}-${two(then.getDate())} ${clock}`
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const duration = (ms: number): string => {
  if (ms < SECOND) return `${Math.round(ms)} ms`
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(ms < 10 * SECOND ? 2 : 1)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} min`
}

/** How long something has been so, for a row of a list. */
export const age = (ms: number): string => {
  if (ms < SECOND) return 'now'
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  return ms < DAY ? `${Math.floor(ms / HOUR)} h` : `${Math.floor(ms / DAY)} d`
}

export const shortId = (id: string): string => (/^[0-9a-f]{8}-/.test(id) ? `${id.slice(0, 8)}…${id.slice(-4)}` : id)

export const count = (value: number): string => value.toLocaleString('en-US').replaceAll(',', ' ')
