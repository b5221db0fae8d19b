/** Draws the keyboard: what a person sees of it, with keys that do nothing. */
import type { Bounds } from '../../operator/engine/ui-tree.ts'
import { type Ink, inner, TEXT, WHITE } from './ink.ts'
import { pixelsOf } from './typesetting.ts'

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
    ink.rectangle(inner(room, gap, gap), WHITE, 5)
    ink.text(label, room, { colour: TEXT, size: 18, align: 'center' })
  }
  for (const [row, letters] of ROWS.entries()) {
    const first = (COLUMNS - letters.length) / 2
    for (const [at, letter] of [...letters].entries()) key(row, first + at, 1, letter)
  }
  key(ROWS.length, (COLUMNS - SPACE_COLUMNS) / 2, SPACE_COLUMNS, '')
}
