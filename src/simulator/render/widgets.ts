/** How each kind of widget is drawn. */
import type { Bounds } from '../../contracts/device/ui-tree.ts'
import { type PlacedNode, shownText } from '../ui/layout.ts'
import { isTile, tileSize } from '../ui/measure.ts'
import { ACCENT, FAINT, type Ink, inset, OFF, SURFACE, squareIn, TEXT, WHITE } from './canvas.ts'
import { pixelsOf, widthOf } from './typesetting.ts'

interface Widget {
  placed: PlacedNode
  /** Inside its padding. */
  room: Bounds
  /** The label for a picture that has no text. */
  label: string
}

type Draw = (widget: Widget, ink: Ink) => void

const firstLetter = (label: string) => ([...label][0] ?? '').toUpperCase()

const labelled = ({ placed: { current }, room }: Widget, ink: Ink, colour: string) =>
  ink.text(shownText(current), room, {
    colour: current.color ?? colour,
    size: current.textSize,
    ...(current.align === undefined ? {} : { align: current.align }),
  })

const plainText: Draw = (widget, ink) => labelled(widget, ink, widget.placed.current.enabled ? TEXT : OFF)

const disc = (area: Bounds, colour: string, letter: string, size: number, ink: Ink) => {
  ink.rectangle(area, colour, 100)
  ink.text(letter, area, { colour: WHITE, size, align: 'center' })
}

const tile: Draw = ({ placed: { current }, room }, ink) => {
  const size = tileSize(ink.metrics)
  const gap = pixelsOf(6, ink.metrics)
  const area = squareIn({ ...room, top: room.top + gap, bottom: room.top + gap + size }, size, 'center')
  disc(area, current.icon ?? ACCENT, firstLetter(current.text), 26, ink)
  const below = { ...room, top: area.bottom + gap }
  ink.text(current.text, below, { colour: current.color ?? TEXT, size: current.textSize, align: 'center' })
}

const icon: Draw = ({ placed: { current }, room, label }, ink) => {
  const size = Math.min(room.right - room.left, room.bottom - room.top)
  disc(squareIn(room, size, 'center'), current.icon ?? FAINT, firstLetter(label), 16, ink)
}

const PICTURE = /\.Image(View|Button)$/
const BACK = /\b(up|back)\b/i

const arrow = (room: Bounds, ink: Ink) => {
  const size = pixelsOf(16, ink.metrics)
  const { left, top, right, bottom } = ink.area(squareIn(room, size, 'center'))
  const middle = Math.floor((top + bottom) / 2)
  ink.canvas.rectangle({ left, top: middle - 1, right, bottom: middle + 1 }, TEXT)
  for (let step = 0; step < middle - top; step += 1) {
    const x = left + step
    ink.canvas.rectangle({ left: x, top: middle - step - 1, right: x + 2, bottom: middle - step + 1 }, TEXT)
    ink.canvas.rectangle({ left: x, top: middle + step - 1, right: x + 2, bottom: middle + step + 1 }, TEXT)
  }
}

const picture: Draw = ({ placed: { current }, room }, ink) => {
  if (current.contentDesc === '' || !PICTURE.test(current.className)) return
  if (BACK.test(current.contentDesc)) return arrow(room, ink)
  const size = Math.min(pixelsOf(40, ink.metrics), room.bottom - room.top)
  disc(squareIn(room, size, 'center'), current.enabled ? FAINT : OFF, firstLetter(current.contentDesc), 16, ink)
}

const field: Draw = ({ placed: { current, bounds, node } }, ink) => {
  const { metrics } = ink
  const pill = inset(bounds, pixelsOf(16, metrics), pixelsOf(4, metrics))
  if (node.focused) ink.rectangle(pill, ACCENT, 28)
  const paper = node.focused ? inset(pill, pixelsOf(2, metrics)) : pill
  ink.rectangle(paper, current.background ?? SURFACE, 28)
  const room = inset(pill, pixelsOf(20, metrics), 0)
  const text = shownText(current)
  ink.text(text, room, { colour: current.text === '' ? FAINT : (current.color ?? TEXT), size: current.textSize })
  if (!node.focused) return
  const written = current.text === '' ? 0 : Math.min(room.right - room.left, widthOf(text) * pixelsOf(1.6, metrics))
  const caret = squareIn(room, pixelsOf(22, metrics), 'start')
  const left = room.left + written
  ink.rectangle({ ...caret, left, right: left + pixelsOf(2, metrics) }, ACCENT)
}

const button: Draw = ({ placed: { current, bounds } }, ink) => {
  const area = inset(bounds, pixelsOf(4, ink.metrics))
  ink.rectangle(area, current.enabled ? (current.background ?? ACCENT) : OFF, 24)
  const style = { colour: current.color ?? WHITE, size: current.textSize, align: 'center' } as const
  ink.text(shownText(current), area, style)
}

const toggleRoom = (room: Bounds, ink: Ink) => ({ ...room, right: room.right - pixelsOf(64, ink.metrics) })

const switchWidget: Draw = (widget, ink) => {
  const { room, placed } = widget
  const { metrics } = ink
  const { checked, enabled } = placed.current
  labelled({ ...widget, room: toggleRoom(room, ink) }, ink, enabled ? TEXT : OFF)
  const [width, height] = [pixelsOf(52, metrics), pixelsOf(30, metrics)]
  const { top, bottom } = squareIn(room, height, 'end')
  const track = { left: room.right - width, top, right: room.right, bottom }
  ink.rectangle(track, checked && enabled ? ACCENT : OFF, 16)
  const thumb = inset(track, pixelsOf(4, metrics))
  const size = thumb.bottom - thumb.top
  ink.rectangle(squareIn(thumb, size, checked ? 'end' : 'start'), WHITE, 16)
}

const box =
  (radius: number): Draw =>
  (widget, ink) => {
    const { room, placed } = widget
    const { metrics } = ink
    labelled({ ...widget, room: toggleRoom(room, ink) }, ink, placed.current.enabled ? TEXT : OFF)
    const square = squareIn(room, pixelsOf(24, metrics), 'end')
    ink.rectangle(square, placed.current.checked ? ACCENT : FAINT, radius)
    if (!placed.current.checked) ink.rectangle(inset(square, pixelsOf(3, metrics)), WHITE, radius)
    else ink.rectangle(inset(square, pixelsOf(7, metrics)), WHITE, radius)
  }

const bar: Draw = ({ room }, ink) => {
  const { top, bottom } = squareIn(room, pixelsOf(6, ink.metrics), 'start')
  const line = { ...room, top, bottom }
  ink.rectangle(line, OFF, 3)
  ink.rectangle({ ...line, right: Math.floor((line.left + line.right) / 2) }, ACCENT, 3)
}

const BY_CLASS: readonly [RegExp, Draw][] = [
  [/\.(EditText|AutoCompleteTextView)$/, field],
  [/\.(Switch|SwitchCompat|ToggleButton)$/, switchWidget],
  [/\.(CheckBox|CheckedTextView)$/, box(4)],
  [/\.RadioButton$/, box(12)],
  [/\.Button$/, button],
  [/\.(SeekBar|ProgressBar)$/, bar],
]

export const drawingOf = ({ current }: PlacedNode): Draw => {
  if (isTile(current)) return tile
  if (current.icon !== undefined) return icon
  const byClass = BY_CLASS.find(([pattern]) => pattern.test(current.className))?.[1]
  return byClass ?? (shownText(current) === '' ? picture : plainText)
}
