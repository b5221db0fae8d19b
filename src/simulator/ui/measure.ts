/** Measures nodes whose size a scenario leaves open, and arranges children inside their parent. */
import { LINE_PIXELS, letterPixel, linesOf, type Metrics, pixelsOf } from '../render/typesetting.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import type { CurrentNode } from './current-node.ts'

/** The inputs of measuring besides the nodes themselves. */
export interface Sizing {
  metrics: Metrics
  shownNodes(node: ScenarioNode): readonly CurrentNode[]
  textOf(node: ScenarioNode): string
}

/** In density-independent pixels. */
const ROW_PADDING = { x: 16, y: 12 }
const TEXT_PADDING = { x: 20, y: 8 }
const NO_PADDING = { x: 0, y: 0 }
const CELL_GAP = 16
const FIELD = 56
const TILE = { alone: 40, large: 56, gap: 6 }
const PICTURE = 48
const SWITCH_WIDTH = 64
const PAGE_WIDTH = 160
const EMPTY = 16
const HEIGHTS: readonly [RegExp, number][] = [
  [/\.(EditText|AutoCompleteTextView)$/, FIELD],
  [/\.(Switch|SwitchCompat|CheckBox|RadioButton|ToggleButton|CheckedTextView)$/, FIELD],
  [/\.(Button|ImageButton|ImageView|SeekBar)$/, PICTURE],
  [/\.ProgressBar$/, 32],
]

interface Padding {
  x: number
  y: number
}

/** A node directly on a screen or in a list keeps off its edges. */
export const paddingOf = (node: ScenarioNode, parent: ScenarioNode | undefined, metrics: Metrics): Padding => {
  const isOutermost = parent === undefined || parent.scrollable
  const inDp = (): Padding => {
    if (node.padding !== undefined) return { x: node.padding, y: node.padding }
    if (node.nodes.length === 0) return isOutermost ? TEXT_PADDING : NO_PADDING
    const isRow = node.clickable || (isOutermost && node.layout === 'row')
    return isRow && !node.scrollable ? ROW_PADDING : NO_PADDING
  }
  const { x, y } = inDp()
  return { x: pixelsOf(x, metrics), y: pixelsOf(y, metrics) }
}

const textHeight = (node: ScenarioNode, text: string, room: number, metrics: Metrics): number => {
  const pixel = letterPixel(node.textSize, metrics)
  return linesOf(text, Math.floor(room / pixel)).length * LINE_PIXELS * pixel
}

export const isTile = (node: ScenarioNode): boolean => node.icon !== undefined && node.text !== ''

/** The height of the tile itself, above its label. */
export const tileSize = (metrics: Metrics): number => pixelsOf(TILE.large, metrics)

const leafHeight = (node: ScenarioNode, room: number, sizing: Sizing): number => {
  const { metrics } = sizing
  const text = sizing.textOf(node)
  const byClass = HEIGHTS.find(([pattern]) => pattern.test(node.className))?.[1]
  if (isTile(node)) {
    return pixelsOf(TILE.large + 2 * TILE.gap + TILE.gap, metrics) + textHeight(node, text, room, metrics)
  }
  if (node.icon !== undefined) return pixelsOf(TILE.alone, metrics)
  const lines = text === '' ? 0 : textHeight(node, text, room, metrics)
  return Math.max(lines, pixelsOf(byClass ?? (text === '' ? EMPTY : 0), metrics))
}

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

/** The heights of the lines of a grid, whose cells are all equally wide. */
const gridHeights = (node: ScenarioNode, room: number, sizing: Sizing): number[] =>
  chunksOf(sizing.shownNodes(node), node.columns).map(line =>
    Math.max(...line.map(child => heightOf(child, Math.floor(room / node.columns), sizing, node))),
  )

/** Undefined for what shares the width that is left. */
const fixedWidth = (node: ScenarioNode, parent: ScenarioNode, { metrics, textOf }: Sizing): number | undefined => {
  if (node.width !== undefined) return pixelsOf(node.width, metrics)
  if (parent.scrollable) return pixelsOf(PAGE_WIDTH, metrics)
  if (node.nodes.length > 0 || textOf(node) !== '') return undefined
  if (node.icon !== undefined) return pixelsOf(TILE.alone, metrics)
  if (node.checkable) return pixelsOf(SWITCH_WIDTH, metrics)
  return /\.Image(View|Button)$/.test(node.className) ? pixelsOf(PICTURE, metrics) : undefined
}

const rowWidths = (node: ScenarioNode, room: number, sizing: Sizing): number[] => {
  const cells = sizing.shownNodes(node)
  const fixed = cells.map(cell => fixedWidth(cell, node, sizing))
  const gaps = pixelsOf(CELL_GAP, sizing.metrics) * Math.max(0, cells.length - 1)
  const left = Math.max(0, room - gaps - sum(fixed.map(width => width ?? 0)))
  const share = Math.floor(left / Math.max(1, fixed.filter(width => width === undefined).length))
  return fixed.map(width => width ?? share)
}

const contentHeight = (node: ScenarioNode, room: number, sizing: Sizing): number => {
  const children = sizing.shownNodes(node)
  if (node.layout === 'grid') return sum(gridHeights(node, room, sizing))
  if (node.layout === 'column') return sum(children.map(child => heightOf(child, room, sizing, node)))
  const widths = rowWidths(node, room, sizing)
  return Math.max(0, ...children.map((child, i) => heightOf(child, widths[i] ?? 0, sizing, node)))
}

export const heightOf = (
  node: ScenarioNode,
  width: number,
  sizing: Sizing,
  parent: ScenarioNode | undefined,
): number => {
  if (node.height !== undefined) return pixelsOf(node.height, sizing.metrics)
  const { x, y } = paddingOf(node, parent, sizing.metrics)
  const room = Math.max(0, width - 2 * x)
  const isLeaf = node.nodes.length === 0
  return (isLeaf ? leafHeight(node, room, sizing) : contentHeight(node, room, sizing)) + 2 * y
}

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

export interface Cell {
  node: CurrentNode
  box: Box
}

type Parent = ScenarioNode | undefined

const column = (children: readonly CurrentNode[], room: Box, sizing: Sizing, parent: Parent): Cell[] => {
  const fills = (node: ScenarioNode) => node.fill && node.height === undefined && !parent?.scrollable
  const heights = children.map(node => (fills(node) ? 0 : heightOf(node, room.width, sizing, parent)))
  const used = heights.reduce((total, height) => total + height, 0)
  const share = Math.floor(Math.max(0, room.height - used) / Math.max(1, children.filter(fills).length))
  let top = room.top
  return children.map((node, i) => {
    const height = fills(node) ? share : (heights[i] ?? 0)
    const width = node.width === undefined ? room.width : pixelsOf(node.width, sizing.metrics)
    const box = { left: room.left, top, width, height }
    top += height
    return { node, box }
  })
}

const row = (parent: ScenarioNode, children: readonly CurrentNode[], room: Box, sizing: Sizing): Cell[] => {
  const widths = rowWidths(parent, room.width, sizing)
  let left = room.left
  return children.map((node, i) => {
    const width = widths[i] ?? 0
    const height = Math.min(room.height, heightOf(node, width, sizing, parent))
    const box = { left, top: room.top + Math.floor((room.height - height) / 2), width, height }
    left += width + pixelsOf(CELL_GAP, sizing.metrics)
    return { node, box }
  })
}

const grid = (parent: ScenarioNode, children: readonly CurrentNode[], room: Box, sizing: Sizing): Cell[] => {
  const width = Math.floor(room.width / parent.columns)
  const heights = gridHeights(parent, room.width, sizing)
  let next = room.top
  const tops = heights.map(height => {
    next += height
    return next - height
  })
  return children.map((node, i) => {
    const line = Math.floor(i / parent.columns)
    const left = room.left + (i % parent.columns) * width
    return { node, box: { left, top: tops[line] ?? 0, width, height: heights[line] ?? 0 } }
  })
}

const placedCells = (node: CurrentNode): Cell[] => {
  if (node.bounds === undefined) return []
  const { left, top, right, bottom } = node.bounds
  return [{ node, box: { left, top, width: right - left, height: bottom - top } }]
}

/** `parent` is undefined for the nodes of a screen itself. A node with bounds of its own stands where they say. */
export const arrange = (nodes: readonly CurrentNode[], room: Box, sizing: Sizing, parent: Parent): Cell[] => {
  const flowing = nodes.filter(node => node.bounds === undefined)
  const flow = () => {
    if (parent?.layout === 'row') return row(parent, flowing, room, sizing)
    if (parent?.layout === 'grid') return grid(parent, flowing, room, sizing)
    return column(flowing, room, sizing, parent)
  }
  return [...flow(), ...nodes.flatMap(placedCells)]
}
