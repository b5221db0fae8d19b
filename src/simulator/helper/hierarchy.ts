/** The screen as the snapshot helper writes it: one root per window, attributes of its own, nothing filtered. */
import { writable } from '../../operator/engine/snapshot-xml.ts'
import { type Bounds, NO_FLAGS, type UiNode, type UiTree } from '../../operator/engine/ui-tree.ts'

export interface Screen {
  tree: UiTree
  width: number
  height: number
  /** The text of a field that is empty is its hint. */
  isHint(node: UiNode): boolean
}

export interface Written {
  xml: string
  windowCount: number
  nodeCount: number
  truncated: boolean
}

export interface Limits {
  depth: number
  nodes: number
}

const REFERENCES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' },
  ...{ '\t': '&#9;', '\n': '&#10;', '\r': '&#13;' },
}
const escaped = (text: string) => writable(text).replace(/[&<>"'\t\n\r]/g, found => REFERENCES[found] ?? found)

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

const written = (attributes: Attributes) =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escaped(String(value))}"`]))
    .join('')

const boxOf = ({ left, top, right, bottom }: Bounds) => `[${left},${top}][${right},${bottom}]`

const EDITABLE = /(?:EditText|AutoCompleteTextView)$/

const attributesOf = (node: UiNode, index: number, isHint: boolean): Attributes => ({
  index,
  text: node.text === '' ? undefined : node.text,
  'hint-showing': isHint,
  editable: EDITABLE.test(node.className),
  'resource-id': node.resourceId,
  class: node.className,
  package: node.packageName,
  'content-desc': node.contentDesc === '' ? undefined : node.contentDesc,
  'visible-to-user': true,
  'drawing-order': node.drawingOrder ?? 0,
  clickable: node.clickable || undefined,
  enabled: node.enabled,
  focusable: node.focusable || undefined,
  focused: node.focused || undefined,
  selected: node.selected,
  scrollable: node.scrollable || undefined,
  'can-scroll-forward': node.scrollable ? true : undefined,
  password: node.password,
  bounds: boxOf(node.bounds),
})

/** What apps leave in their trees, and `uiautomator dump` does not show. */
const leftOver = (packageName: string, index: number) =>
  `<node index="${index}" text="left over" class="android.widget.FrameLayout" package="${packageName}" visible-to-user="false" enabled="true" bounds="[0,0][0,0]"><node index="0" text="left over too" class="android.widget.TextView" package="${packageName}" visible-to-user="true" enabled="true" bounds="[0,0][9,9]"/></node>`

const windowOf = (index: number, type: number, active: boolean, bounds: Bounds): Attributes => ({
  'window-index': index,
  'window-type': type,
  'window-layer': 10 - index,
  'window-active': active,
  'window-focused': active,
  'window-bounds': boxOf(bounds),
})

const APPLICATION = 1
const SYSTEM = 3
const STATUS_BAR_PX = 60

const statusBar = (width: number): UiNode => {
  const plain = {
    ...{ text: '', resourceId: '', contentDesc: '', packageName: 'com.android.systemui' },
    ...NO_FLAGS,
    enabled: true,
  }
  const bounds = { left: 0, top: 0, right: width, bottom: STATUS_BAR_PX }
  const clock = { ...plain, text: '12:00', className: 'android.widget.TextView', bounds, children: [] }
  return { ...plain, className: 'android.widget.FrameLayout', bounds, children: [clock] }
}

export const writeHierarchy = ({ tree, width, height, isHint }: Screen, limits: Limits): Written => {
  let nodeCount = 0
  let truncated = false
  const write = (node: UiNode, index: number, depth: number, more: Attributes, after: string): string => {
    if (nodeCount >= limits.nodes || depth > limits.depth) {
      truncated = true
      return ''
    }
    nodeCount += 1
    const open = `<node${written({ ...more, ...attributesOf(node, index, isHint(node)) })}`
    const inside = node.children.map((child, at) => write(child, at, depth + 1, {}, '')).join('') + after
    return inside === '' ? `${open}/>` : `${open}>${inside}</node>`
  }
  const display = { left: 0, top: 0, right: width, bottom: height }
  const bar = statusBar(width)
  const roots = [
    write(bar, 0, 0, windowOf(0, SYSTEM, false, bar.bounds), ''),
    ...tree.roots.map((root, at) =>
      write(
        root,
        at + 1,
        0,
        windowOf(at + 1, APPLICATION, true, display),
        leftOver(root.packageName, root.children.length),
      ),
    ),
  ]
  const xml = `<?xml version="1.0" encoding="UTF-8"?><hierarchy rotation="0">${roots.join('')}</hierarchy>`
  return { xml, windowCount: roots.length, nodeCount, truncated }
}
