/** A screen as agents are shown it: the nodes that say or do something, each with what tells it apart from the others. */

import { roleOf } from '../../../contracts/device/role.ts'
import { type FoundNode, hasArea, readingOf, type UiNode, type UiTree } from '../../../contracts/device/ui-tree.ts'
import { visible } from '../../../device/screen/match.ts'

/** One line of a compact snapshot; plain data, kept in the journal. */
export interface ScreenNode {
  /** Positions among siblings, from the root: `0.3.1`. */
  path: string
  role: string
  /** The text on the node, with white space collapsed. */
  label: string
  /** The hint of an empty field. */
  hint?: string
  id: string
  className: string
  packageName: string
  /** The present state in words. */
  state: string[]
  /** A digest of the classes and ids of the nodes around it. */
  within: number
  /** The row of a list that it is in, as a path. */
  row?: string
}

export interface Screen {
  /** The package of the application in front. */
  package: string
  /** A window that does not begin at the corner of the screen: a dialog, a menu. */
  isDialog: boolean
  nodes: ScreenNode[]
}

interface Place {
  node: UiNode
  path: string
  within: number
  /** The nearest node that takes a touch here: itself, or one around it. */
  touchable: Place | undefined
  /** The path of the row that holds the node. */
  row: string | undefined
  /** The label that a line around the node shows already. */
  shownLabel: string
  /** Within something that scrolls, where no row has begun. */
  isInList: boolean
}

/** Roles made for touching; every other touchable node is marked as one. */
const TOUCHED = new Set(['button', 'checkbox', 'dropdown', 'radio', 'slider', 'switch', 'tab', 'textfield'])

/** States of what can be touched. */
const TOUCH_WORDS = new Set(['tap', 'hold', 'on', 'off'])

/** A person would touch it. */
export const isTouchedNode = ({ role, state }: ScreenNode): boolean =>
  !state.includes('disabled') && (TOUCHED.has(role) || state.some(word => TOUCH_WORDS.has(word)))

const simpleName = ({ className }: UiNode): string => className.slice(className.lastIndexOf('.') + 1).toLowerCase()

export const shownText = (text: string): string => visible(text).replace(/\s+/g, ' ').trim()

/** More than a frame that passes touches on to what is in it. */
const doesSomething = (node: UiNode) => node.checkable || node.scrollable || roleOf(node) === 'textfield'

const isTouchable = (node: UiNode) => node.clickable || node.longClickable

const stateOf = (node: UiNode, touched: UiNode | undefined, role: string): string[] => {
  const words: string[] = []
  if (node.checkable) words.push(node.checked ? 'on' : 'off')
  if (node.selected) words.push('selected')
  if (node.focused) words.push('focused')
  if (!node.enabled || touched?.enabled === false) words.push('disabled')
  if (node.password) words.push('password')
  if (touched && !TOUCHED.has(role)) words.push(touched.clickable ? 'tap' : 'hold')
  if (node.scrollable) words.push('scroll')
  return words
}

const hintOf = (node: UiNode): string => shownText(node.hint ?? '')

interface Line {
  place: Place
  /** The node that takes a touch here, where this line is the one to say so. */
  touched: UiNode | undefined
  isDropped: boolean
}

/** FNV-1a: short, and the same on every host. */
const digest = (seed: number, text: string): number => {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}

const nodeOf = ({ place: { node, path, row, within }, touched }: Line): ScreenNode => {
  const role = roleOf(node) ?? simpleName(node)
  const hint = hintOf(node)
  return {
    path,
    role,
    label: shownText(readingOf(node)),
    ...(hint === '' ? {} : { hint }),
    id: node.resourceId,
    className: node.className,
    packageName: node.packageName,
    state: stateOf(node, touched, role),
    within,
    ...(row === undefined ? {} : { row }),
  }
}

const childrenOf = (place: Place, touchable: Place | undefined, shownLabel: string): Place[] => {
  const { node, path } = place
  const isInList = node.scrollable || (place.isInList && place.row === undefined)
  // A frame around all rows is not a row.
  const beginsRows = isInList && node.children.length > 1
  const within = digest(place.within, `/${node.className}#${node.resourceId}`)
  return node.children.map((child, index) => {
    const childPath = `${path}.${index}`
    const row = beginsRows ? childPath : node.scrollable ? undefined : place.row
    return { node: child, path: childPath, within, touchable, row, shownLabel, isInList }
  })
}

/**
 * A frame that takes touches and says nothing is not shown where something in it says what it is: that line is marked
 * instead, and a touch there goes to the frame. Nodes without area, which nobody can see, are left out.
 */
const linesOf = (roots: readonly UiNode[]): Line[] => {
  const lines: Line[] = []
  /** Frames that no other line stands for yet. */
  const frames = new Map<Place, Line>()
  const outside = { within: 0x811c9dc5, touchable: undefined, row: undefined, shownLabel: '', isInList: false }
  const stack: Place[] = roots.map((node, index) => ({ node, path: String(index), ...outside })).reverse()
  for (let place = stack.pop(); place; place = stack.pop()) {
    const { node, touchable: around } = place
    const touchable = isTouchable(node) ? place : around
    const label = shownText(readingOf(node))
    if (hasArea(node.bounds)) {
      const isNews = label !== '' && (label !== place.shownLabel || touchable === place)
      if (doesSomething(node) || isNews || hintOf(node) !== '') {
        const frame = touchable && frames.get(touchable)
        if (frame) frame.isDropped = true
        if (touchable) frames.delete(touchable)
        const touched = touchable === place || frame ? touchable?.node : undefined
        lines.push({ place, touched, isDropped: false })
      } else if (touchable === place) {
        const line = { place, touched: node, isDropped: false }
        frames.set(place, line)
        lines.push(line)
      }
    }
    for (const child of childrenOf(place, touchable, label || place.shownLabel).reverse()) stack.push(child)
  }
  return lines.filter(({ isDropped }) => !isDropped)
}

export const screenOf = ({ roots }: UiTree, foreground: string): Screen => {
  const [root] = roots
  return {
    package: foreground || (root?.packageName ?? ''),
    isDialog: root !== undefined && root.bounds.left > 0 && root.bounds.top > 0,
    nodes: linesOf(roots).map(nodeOf),
  }
}

/** The nodes of a tree by the paths that lines have. */
export const nodeByPath = ({ roots }: UiTree, path: string): FoundNode | undefined => {
  let found: FoundNode | undefined
  let siblings = roots
  for (const index of path.split('.')) {
    const node = siblings[Number(index)]
    if (!node) return undefined
    found = { node, parent: found }
    siblings = node.children
  }
  return found
}
