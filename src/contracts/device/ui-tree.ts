/** The tree of the screen as uiautomator describes it, the form that snapshots, matchers and drivers share, and its rectangles. */

export interface Bounds {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Point {
  x: number
  y: number
}

export interface UiNode {
  text: string
  resourceId: string
  className: string
  packageName: string
  contentDesc: string
  checkable: boolean
  checked: boolean
  clickable: boolean
  enabled: boolean
  focusable: boolean
  focused: boolean
  scrollable: boolean
  longClickable: boolean
  password: boolean
  selected: boolean
  /** Only of an empty field, where the driver can tell: it shows this, and Android says it as its text. */
  hint?: string
  /** A field that holds a text would show this if it were empty; only some drivers can tell. */
  hintText?: string
  /** Its place in the order in which the children of its parent are drawn, from 1; 0 and undefined: not known. */
  drawingOrder?: number
  /** Only of an element of a web page: the css selectors of the step that find it. */
  css?: readonly string[]
  /** Only of the element of a web page that a step names by its handle. */
  pageElement?: string
  /** In screen pixels. Only nodes with a visible part are in the tree. */
  bounds: Bounds
  children: readonly UiNode[]
}

/** Nothing of a node is so. */
export const NO_FLAGS = {
  checkable: false,
  checked: false,
  clickable: false,
  enabled: false,
  focusable: false,
  focused: false,
  scrollable: false,
  longClickable: false,
  password: false,
  selected: false,
} as const satisfies Partial<UiNode>

export interface UiTree {
  /** Quarter turns, 0 to 3. */
  rotation: number
  roots: readonly UiNode[]
  /** Flags that the driver cannot read for any node: they are false everywhere and mean nothing. */
  unknown?: readonly ('checkable' | 'checked' | 'longClickable')[]
  /** Why elements of web pages are missing that were asked for, as a clause, and the remedy. */
  unreadPages?: { reason: string; hint?: string | undefined }
}

export const hasArea = ({ left, top, right, bottom }: Bounds): boolean => right > left && bottom > top

/** Undefined when they have no pixel in common. */
export const intersection = (a: Bounds, b: Bounds): Bounds | undefined => {
  const both = {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  }
  return hasArea(both) ? both : undefined
}

export const contains = ({ left, top, right, bottom }: Bounds, { x, y }: Point): boolean =>
  x >= left && x < right && y >= top && y < bottom

export const centreOf = ({ left, top, right, bottom }: Bounds): Point => ({
  x: Math.floor((left + right) / 2),
  y: Math.floor((top + bottom) / 2),
})

/** The form in which uiautomator writes them. */
export const boundsText = ({ left, top, right, bottom }: Bounds): string => `[${left},${top}][${right},${bottom}]`

export interface FoundNode {
  node: UiNode
  /** The node around it; undefined for a root. */
  parent: FoundNode | undefined
}

/** All nodes, depth first, each before its children. Without recursion: a tree may be deeper than the stack. */
export const walk = function* (roots: readonly UiNode[], parent?: FoundNode): Generator<FoundNode> {
  const stack: FoundNode[] = roots.map(node => ({ node, parent })).reverse()
  for (let found = stack.pop(); found; found = stack.pop()) {
    yield found
    const { children } = found.node
    for (let index = children.length - 1; index >= 0; index--) {
      const node = children[index]
      if (node) stack.push({ node, parent: found })
    }
  }
}

/** The name that a person would use for the node: its text, else its content description. */
export const labelOf = (node: UiNode): string => node.text || node.contentDesc

/** The text that is in it: the hint of an empty field names the field, and is not in it. */
export const contentOf = (node: UiNode): string => (node.hint === undefined ? node.text : '')

/** The text that a person reads on the node. */
export const readingOf = (node: UiNode): string => contentOf(node) || node.contentDesc

/** A node without area is nothing that anyone could see or touch; dumps of real devices hold some. */
export const isOnScreen = ({ bounds }: UiNode): boolean => hasArea(bounds)
