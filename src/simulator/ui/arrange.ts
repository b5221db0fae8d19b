/** Arranges the children of a node inside it, before anything is scrolled or cut off. */
import { pixelsOf } from '../render/typesetting.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import type { Look } from './look.ts'
import { CELL_GAP, gridHeights, heightOf, rowWidths, type Sizing } from './measure.ts'

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

export interface Cell {
  node: Look
  box: Box
}

type Parent = ScenarioNode | undefined

const column = (children: readonly Look[], room: Box, sizing: Sizing, parent: Parent): Cell[] => {
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

const row = (parent: ScenarioNode, children: readonly Look[], room: Box, sizing: Sizing): Cell[] => {
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

const grid = (parent: ScenarioNode, children: readonly Look[], room: Box, sizing: Sizing): Cell[] => {
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

const given = (node: Look): Cell[] => {
  if (node.bounds === undefined) return []
  const { left, top, right, bottom } = node.bounds
  return [{ node, box: { left, top, width: right - left, height: bottom - top } }]
}

/** `parent` is undefined for the nodes of a screen itself. A node with bounds of its own stands where they say. */
export const arrange = (nodes: readonly Look[], room: Box, sizing: Sizing, parent: Parent): Cell[] => {
  const flowing = nodes.filter(node => node.bounds === undefined)
  const flow = () => {
    if (parent?.layout === 'row') return row(parent, flowing, room, sizing)
    if (parent?.layout === 'grid') return grid(parent, flowing, room, sizing)
    return column(flowing, room, sizing, parent)
  }
  return [...flow(), ...nodes.flatMap(given)]
}
