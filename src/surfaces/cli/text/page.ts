/** The page that a text is printed on: its width and colours, the time, and the words that were given to the command. */
import type { Given } from '../command.ts'
import { ago, type LocalOffset, localTime } from './times.ts'

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
