/** From the nodes of a screen to what is visible of them: places, scroll positions and what the edges cut off. */
import type { Bounds, UiNode } from '../../operator/engine/ui-tree.ts'
import { type Metrics, pixelsOf } from '../render/typesetting.ts'
import type { ScenarioNode } from '../scenario/node.ts'
import { arrange, type Box, type Cell } from './arrange.ts'
import { intersection } from './bounds.ts'
import { type Changes, type Entry, isShown, type Look, lookOf } from './entry.ts'
import { paddingOf, type Sizing } from './measure.ts'

/** A visible node: `bounds` may reach beyond what is seen of it. */
export interface Placed {
  source: ScenarioNode
  look: Look
  bounds: Bounds
  node: UiNode
  children: readonly Placed[]
  scroll?: Scroll
}

export interface Scroll {
  axis: 'x' | 'y'
  offset: number
  /** How far it can go. */
  end: number
}

/** In density-independent pixels. */
export const STATUS_BAR = 28
export const NAVIGATION_BAR = 24

const BULLET = '•'
const NONE: readonly never[] = []

export const shownText = (source: ScenarioNode, { text }: Look): string => {
  if (source.editable && text === '') return source.hint
  return source.password ? BULLET.repeat([...text].length) : text
}

const boundsOf = ({ left, top, width, height }: Box): Bounds => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})

export interface LayoutInput {
  entry: Entry
  changes: Changes
  metrics: Metrics
  now: number
}

export const layOut = ({ entry, changes, metrics, now }: LayoutInput): Placed[] => {
  const shownNodes = (nodes: readonly ScenarioNode[]) => nodes.filter(node => isShown(node, entry, changes, now))
  const sizing: Sizing = {
    metrics,
    shownNodes: node => shownNodes(node.nodes).filter(child => child.bounds === undefined),
    textOf: node => shownText(node, lookOf(node, entry, changes)),
  }

  const uiNode = (source: ScenarioNode, look: Look, bounds: Bounds, children: readonly UiNode[]): UiNode => ({
    text: shownText(source, look),
    resourceId: source.resourceId,
    className: source.className,
    packageName: entry.app.package,
    contentDesc: look.contentDesc,
    checkable: source.checkable,
    checked: look.checked,
    clickable: source.clickable,
    enabled: look.enabled,
    focusable: source.focusable,
    focused: entry.focus?.field === source,
    scrollable: source.scrollable,
    longClickable: source.longClickable,
    password: source.password,
    selected: look.selected,
    bounds,
    children,
  })

  /** How far a list is scrolled: at most to its end, which may have come nearer since. */
  const scrollOf = (source: ScenarioNode, room: Bounds, cells: readonly Cell[]): Scroll => {
    const axis = source.layout === 'row' ? 'x' : 'y'
    const edgeOf = ({ box }: Cell) => (axis === 'x' ? box.left + box.width : box.top + box.height)
    const last = cells.reduce((furthest, cell) => Math.max(furthest, edgeOf(cell)), 0)
    const end = Math.max(0, last - (axis === 'x' ? room.right : room.bottom))
    return { axis, end, offset: Math.min(end, entry.scrolled.get(source) ?? 0) }
  }

  const place = (source: ScenarioNode, box: Box, clip: Bounds, parent: ScenarioNode | undefined): Placed[] => {
    const bounds = boundsOf(box)
    const visible = intersection(bounds, clip)
    if (!visible) return []
    const look = lookOf(source, entry, changes)
    if (source.nodes.length === 0 && !source.scrollable) {
      return [{ source, look, bounds, node: uiNode(source, look, visible, NONE), children: NONE }]
    }
    const { x, y } = paddingOf(source, parent, metrics)
    const room = {
      left: box.left + x,
      top: box.top + y,
      width: Math.max(0, box.width - 2 * x),
      height: Math.max(0, box.height - 2 * y),
    }
    const cells = arrange(shownNodes(source.nodes), room, sizing, source)
    const scroll = source.scrollable ? scrollOf(source, boundsOf(room), cells) : undefined
    const dx = scroll?.axis === 'x' ? scroll.offset : 0
    const dy = scroll?.axis === 'y' ? scroll.offset : 0
    const children = cells.flatMap(({ node, box: { left, top, width, height } }) =>
      place(node, { left: left - dx, top: top - dy, width, height }, visible, source),
    )
    const inside = children.map(child => child.node)
    return [
      { source, look, bounds, node: uiNode(source, look, visible, inside), children, ...(scroll ? { scroll } : {}) },
    ]
  }

  const [top, bottom] = [pixelsOf(STATUS_BAR, metrics), metrics.height - pixelsOf(NAVIGATION_BAR, metrics)]
  const screen = { left: 0, top, width: metrics.width, height: Math.max(0, bottom - top) }
  return arrange(shownNodes(entry.screen.nodes), screen, sizing, undefined).flatMap(({ node, box }) =>
    place(node, box, boundsOf(screen), undefined),
  )
}

const ROOT = { text: '', resourceId: '', className: 'android.widget.FrameLayout', contentDesc: '' }
const NO_FLAGS = {
  ...{ checkable: false, checked: false, clickable: false, focusable: false, focused: false },
  ...{ scrollable: false, longClickable: false, password: false, selected: false },
}

/** The window around the nodes of a screen. */
export const windowOf = (placed: readonly Placed[], packageName: string, metrics: Metrics): UiNode => ({
  ...ROOT,
  ...NO_FLAGS,
  enabled: true,
  packageName,
  bounds: { left: 0, top: 0, right: metrics.width, bottom: metrics.height },
  children: placed.map(({ node }) => node),
})
