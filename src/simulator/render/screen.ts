/** The picture of a simulated screen. */
import type { Bounds } from '../../contracts/device/ui-tree.ts'
import { inDrawOrder, type LaidOutScreen, type PlacedNode, shownText } from '../ui/layout.ts'
import { paddingOf } from '../ui/measure.ts'
import type { Overlays } from '../ui/overlays.ts'
import { type SceneLayer as Layer, NAVIGATION_BAR, type Scene, STATUS_BAR } from '../ui/windows.ts'
import type { Frame } from '../video/still-picture.ts'
import { type Canvas, createCanvas, createInk, FAINT, type Ink, inset, isDark, TEXT, WHITE } from './canvas.ts'
import { paintKeyboard, paintOverlays } from './overlay.ts'
import { pngEncoder } from './png.ts'
import { type Metrics, pixelScaleOf, pixelsOf } from './typesetting.ts'
import { drawingOf } from './widgets.ts'

/** The same in every picture, so that pictures of the same screen are the same. */
const TIME = '10:00'
const BARS = 4

const paintSystemBars = (ink: Ink, background: string): void => {
  const { metrics } = ink
  const { width, height } = metrics
  const dp = (size: number) => pixelsOf(size, metrics)
  const colour = isDark(background) ? WHITE : TEXT
  const bottom = dp(STATUS_BAR)
  ink.rectangle({ left: 0, top: 0, right: width, bottom }, background)
  ink.text(TIME, { left: dp(24), top: 0, right: width, bottom }, { colour, size: 14 })

  const [top, floor] = [dp(8), dp(20)]
  const battery = { left: width - dp(32), top: dp(7), right: width - dp(24), bottom: floor }
  ink.rectangle(battery, colour, 2)
  ink.rectangle({ left: battery.left + dp(2), top: dp(5), right: battery.right - dp(2), bottom: dp(8) }, colour)
  for (let i = 0; i < BARS; i += 1) {
    const left = width - dp(56) + i * dp(5)
    ink.rectangle(
      { left, top: floor - Math.round(((floor - top) * (i + 1)) / BARS), right: left + dp(4), bottom: floor },
      colour,
    )
  }

  const edge = { left: 0, top: height - dp(NAVIGATION_BAR), right: width, bottom: height }
  ink.rectangle(edge, background)
  const middle = Math.floor(width / 2)
  const pill = { left: middle - dp(54), top: height - dp(14), right: middle + dp(54), bottom: height - dp(10) }
  ink.rectangle(pill, isDark(background) ? WHITE : FAINT, 2)
}

const BLACK = '#000000'
const SELECTED = '#D3E3FD'
const THUMB = { colour: '#9AA0A6', width: 3, edge: 2, least: 24 }

const firstText = (placed: PlacedNode): string => {
  const ownText = shownText(placed.current) || placed.current.contentDesc
  return ownText || placed.children.map(firstText).find(text => text !== '') || ''
}

/** How long a list is, and where in it one is. */
const paintThumb = ({ scroll, node }: PlacedNode, ink: Ink) => {
  if (!scroll || scroll.axis === 'x' || scroll.end === 0) return
  const { top, bottom, right } = node.bounds
  const dp = (size: number) => pixelsOf(size, ink.metrics)
  const height = bottom - top
  const length = Math.max(dp(THUMB.least), Math.floor((height * height) / (height + scroll.end)))
  const from = top + Math.floor(((height - length) * scroll.offset) / scroll.end)
  const edge = right - dp(THUMB.edge)
  ink.rectangle({ left: edge - dp(THUMB.width), top: from, right: edge, bottom: from + length }, THUMB.colour, 2)
}

const paintNode = (placed: PlacedNode, parent: PlacedNode | undefined, label: string, ink: Ink): void => {
  const { current, bounds, children, node } = placed
  ink.canvas.within(ink.area(node.bounds), () => {
    const background = current.selected ? SELECTED : current.background
    if (background !== undefined && !current.editable) ink.rectangle(bounds, background)
    if (current.nodes.length > 0) {
      const inside = firstText(placed)
      for (const child of inDrawOrder(children)) paintNode(child, placed, inside, ink)
    } else {
      const { x, y } = paddingOf(current, parent?.current, ink.metrics)
      const room: Bounds = inset(bounds, x, y)
      drawingOf(placed)({ placed, room, label }, ink)
    }
    paintThumb(placed, ink)
  })
}

/** The share of the light that the screen behind a dialog keeps. */
const BEHIND = 0.5

const paintLayer = ({ entry, roots, window }: Layer, ink: Ink) => {
  const { background, dialog } = entry.screen
  if (dialog) ink.canvas.dim(BEHIND)
  ink.rectangle(window, background, dialog ? 16 : 0)
  for (const placed of inDrawOrder(roots)) paintNode(placed, undefined, '', ink)
}

interface Picture {
  scene: Scene
  overlays: ReturnType<Overlays['shown']>
}

export const createRenderer = (metrics: Metrics) => {
  const grain = pixelScaleOf(metrics.width)
  const [width, height] = [Math.ceil(metrics.width / grain), Math.ceil(metrics.height / grain)]
  const encode = pngEncoder({ width: metrics.width, height: metrics.height, grain })
  /** Undefined draws a display that is off. */
  const paint = (picture: Picture | undefined): Canvas => {
    const canvas = createCanvas(width, height, BLACK)
    if (picture) {
      const { scene, overlays } = picture
      const ink = createInk(canvas, metrics)
      const [lowest = scene, ...higher] = [...scene.below, scene]
      paintLayer(lowest, ink)
      paintSystemBars(ink, lowest.entry.screen.background)
      for (const layer of higher) paintLayer(layer, ink)
      if (scene.keyboard) paintKeyboard(scene.keyboard, ink)
      paintOverlays(overlays, ink)
    }
    return canvas
  }
  return { paint, png: (picture: Picture | undefined) => encode(paint(picture)) }
}

/** A picture of nothing but the screen: such a one can be kept as long as the screen is the same. */
const isPlain = ({ scene, overlays }: Picture): boolean =>
  scene.below.length === 0 && !scene.keyboard && overlays.toast === undefined && !overlays.log

/** May be shared by phones of one size. */
export const createCamera = (metrics: Metrics) => {
  const taken = new WeakMap<LaidOutScreen['roots'], Uint8Array>()
  const { png, paint } = createRenderer(metrics)
  let painted: { roots: LaidOutScreen['roots']; frame: Frame } | undefined
  let dark: Uint8Array | undefined
  return {
    /** Undefined for a display that is off. */
    take(picture: Picture | undefined): Uint8Array {
      if (!picture) {
        dark ??= png(undefined)
        return dark
      }
      const { scene } = picture
      if (!isPlain(picture)) return png(picture)
      const shot = taken.get(scene.roots) ?? png(picture)
      taken.set(scene.roots, shot)
      return shot
    },
    /** In coarse pixels. */
    frame(picture: Picture): Frame {
      const { roots } = picture.scene
      if (!isPlain(picture)) return paint(picture)
      painted = painted?.roots === roots ? painted : { roots, frame: paint(picture) }
      return painted.frame
    },
  }
}

export type Camera = ReturnType<typeof createCamera>
