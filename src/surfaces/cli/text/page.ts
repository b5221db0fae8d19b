/**
 * The page that a text is printed on: its width and colours, the time and how times are told, and the words that were
 * given to the command.
 */

import type { Given } from '../command.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const FIRST_CHARS = 8
const LAST_CHARS = 4

/** `0199f2b4…7e10`: ids of one moment begin alike. Other text stays as it is, and a pipe cuts nothing. */
export const shortId = ({ width }: Pick<Page, 'width'>, id: string): string =>
  width !== undefined && ID.test(id) ? `${id.slice(0, FIRST_CHARS)}…${id.slice(-LAST_CHARS)}` : id

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

const STYLES = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const
export type Style = keyof typeof STYLES

export interface PageOptions {
  /** The columns of the terminal; undefined for a pipe or a file, which gets everything whole. */
  width: number | undefined
  hasColours: boolean
  now: number
  offset: LocalOffset
  /** The time that the command has taken so far. */
  tookMs: number
  given: Given
  /** The words of the command: `['executions', 'show']`. */
  path: readonly string[]
}

export interface Page extends Omit<PageOptions, 'hasColours' | 'offset'> {
  paint(style: Style, text: string): string
  /** `3 s ago` */
  ago(at: number): string
  /** `14:03:20`, in local time */
  time(at: number): string
}

export const createPage = ({ hasColours, offset, ...page }: PageOptions): Page => ({
  ...page,
  paint: (style, text) => (hasColours && text !== '' ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text),
  ago: at => ago(at, page.now),
  time: at => localTime(at, page.now, offset),
})

/** A sign and a colour of the same meaning. */
export const SIGNS = { ok: '✓', failed: '✗', warning: '!', unknown: '?', open: '·' } as const
export type SignName = keyof typeof SIGNS

const SIGN_STYLES: Record<SignName, Style> = {
  ok: 'green',
  failed: 'red',
  warning: 'yellow',
  unknown: 'yellow',
  open: 'yellow',
}

export const sign = (page: Page, name: SignName): string => page.paint(SIGN_STYLES[name], SIGNS[name])
