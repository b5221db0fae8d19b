/** Draws what lies over every screen: the toast, and the on-screen log. */
import type { Bounds } from '../../contracts/device/ui-tree.ts'
import type { Overlays, ScreenLog } from '../ui/overlays.ts'
import { type Ink, inset, TEXT, WHITE } from './canvas.ts'
import { LINE_PIXELS, letterPixel, linesOf, pixelsOf, widthOf } from './typesetting.ts'

const PAPER = '#D5D9E0'
const GAP_DP = 3
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'] as const
const COLUMNS = 10
const SPACE_COLUMNS = 5

export const paintKeyboard = (area: Bounds, ink: Ink): void => {
  ink.rectangle(area, PAPER)
  const gap = pixelsOf(GAP_DP, ink.metrics)
  const height = Math.floor((area.bottom - area.top) / (ROWS.length + 2))
  const width = (area.right - area.left) / COLUMNS
  const key = (row: number, from: number, columns: number, label: string) => {
    const left = Math.floor(area.left + from * width)
    const top = area.top + row * height + gap
    const room = { left, top, right: Math.floor(left + columns * width), bottom: top + height }
    ink.rectangle(inset(room, gap, gap), WHITE, 5)
    ink.text(label, room, { colour: TEXT, size: 18, align: 'center' })
  }
  for (const [row, letters] of ROWS.entries()) {
    const first = (COLUMNS - letters.length) / 2
    for (const [at, letter] of [...letters].entries()) key(row, first + at, 1, letter)
  }
  key(ROWS.length, (COLUMNS - SPACE_COLUMNS) / 2, SPACE_COLUMNS, '')
}

const TOAST = { colour: '#303134', size: 15, bottom: 96, edge: 32, padding: 16 }

const paintToast = (text: string, ink: Ink) => {
  const { metrics } = ink
  const dp = (size: number) => pixelsOf(size, metrics)
  const pixel = letterPixel(TOAST.size, metrics)
  const most = metrics.width - 2 * dp(TOAST.edge + TOAST.padding)
  const lines = linesOf(text, Math.floor(most / pixel), 3)
  const width = Math.min(most, Math.max(...lines.map(widthOf)) * pixel) + 2 * dp(TOAST.padding)
  const bottom = metrics.height - dp(TOAST.bottom)
  const area = {
    left: Math.floor((metrics.width - width) / 2),
    top: bottom - lines.length * LINE_PIXELS * pixel - 2 * dp(10),
    right: Math.floor((metrics.width + width) / 2),
    bottom,
  }
  ink.rectangle(area, TOAST.colour, 24)
  ink.text(text, inset(area, dp(TOAST.padding), dp(8)), { colour: WHITE, size: TOAST.size, align: 'center' })
}

/** `#AARRGGBB` or `#RRGGBB`; undefined for what is all but transparent. */
const opaque = (colour: string): string | undefined => {
  if (colour.length === 7) return colour
  return Number.parseInt(colour.slice(1, 3), 16) < 0x20 ? undefined : `#${colour.slice(3)}`
}

export const LOG_PADDING_DP = 6

const paintLog = (log: ScreenLog, ink: Ink) => {
  const { metrics } = ink
  const dp = (size: number) => pixelsOf(size, metrics)
  const line = LINE_PIXELS * letterPixel(log.fontSizeSp, metrics)
  const width = Math.min(metrics.width, dp(log.widthDp))
  const left = log.anchor === 'right' ? metrics.width - dp(log.edgeOffsetDp) - width : dp(log.edgeOffsetDp)
  const top = dp(log.topOffsetDp)
  const area = { left, top, right: left + width, bottom: top + log.lines.length * line + 2 * dp(LOG_PADDING_DP) }
  const background = opaque(log.backgroundColor)
  if (background !== undefined) ink.rectangle(area, background, 4)
  const room = inset(area, dp(LOG_PADDING_DP))
  const colour = opaque(log.textColor)
  if (colour === undefined) return
  for (const [i, text] of log.lines.entries()) {
    const align = log.textAlign === 'right' ? 'end' : 'start'
    const at = { ...room, top: room.top + i * line, bottom: room.top + (i + 1) * line }
    ink.text(text, at, { colour, size: log.fontSizeSp, align })
  }
}

export const paintOverlays = ({ toast, log }: ReturnType<Overlays['shown']>, ink: Ink): void => {
  if (log !== undefined) paintLog(log, ink)
  if (toast !== undefined) paintToast(toast, ink)
}
