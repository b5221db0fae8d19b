/** The screen as the snapshot helper writes it: one root per window, attributes of its own, nothing filtered. */

import { type Bounds, boundsText, NO_FLAGS, type UiNode, type UiTree } from '../../contracts/device/ui-tree.ts'
import { withReferences, writableXml } from '../../runtime/text/xml-text.ts'
import { SYSTEM_KEYBOARD_PACKAGE } from '../ui/windows.ts'

export interface Screen {
  tree: UiTree
  width: number
  /** The bounds of the window that the tree shows. */
  front: Bounds
  /** True when the shade or the lock screen is in front. */
  isSystem: boolean
  keyboard: Bounds | undefined
  /** The text of a field that is empty is its hint. */
  isHint(node: UiNode): boolean
  /** Tells whether a list goes on before and after its visible part. */
  scrollOf(node: UiNode): { forward: boolean; backward: boolean } | undefined
}

const escaped = (text: string) => withReferences(writableXml(text), /[&<>"'\t\n\r]/g)

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

const written = (attributes: Attributes) =>
  Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escaped(String(value))}"`]))
    .join('')

const EDITABLE = /(?:EditText|AutoCompleteTextView)$/

const filled = (text: string) => (text === '' ? undefined : text)

const attributesOf = (node: UiNode, { isHint, scrollOf }: Screen, isVisible: boolean): Attributes => ({
  text: filled(node.text),
  'hint-showing': isHint(node),
  editable: EDITABLE.test(node.className),
  'resource-id': filled(node.resourceId),
  class: node.className,
  package: filled(node.packageName),
  'content-desc': filled(node.contentDesc),
  'visible-to-user': isVisible,
  'drawing-order': node.drawingOrder ?? 0,
  clickable: node.clickable || undefined,
  enabled: node.enabled,
  focusable: node.focusable || undefined,
  focused: node.focused || undefined,
  selected: node.selected,
  scrollable: node.scrollable || undefined,
  'can-scroll-forward': node.scrollable ? scrollOf(node)?.forward === true : undefined,
  'can-scroll-backward': node.scrollable ? scrollOf(node)?.backward === true : undefined,
  password: node.password,
  bounds: boundsText(node.bounds),
})

const PLAIN = { ...{ text: '', resourceId: '', contentDesc: '' }, ...NO_FLAGS, enabled: true, children: [] }
const NOWHERE = { left: 0, top: 0, right: 0, bottom: 0 }

/** Attributes that apps leave in their trees and `uiautomator dump` does not show. */
const leftOver = (packageName: string): UiNode => {
  const inside = { ...PLAIN, packageName, text: 'left over too', className: 'android.widget.TextView' }
  const children = [{ ...inside, bounds: { ...NOWHERE, right: 9, bottom: 9 } }]
  return {
    ...PLAIN,
    packageName,
    text: 'left over',
    className: 'android.widget.FrameLayout',
    bounds: NOWHERE,
    children,
  }
}

interface Window {
  type: (typeof TYPES)[keyof typeof TYPES]
  isActive: boolean
  bounds: Bounds
  root: UiNode
  /** The last child of the root, which cannot be seen. */
  hidden?: UiNode
}

/** The numbers that the accessibility service gives to window types. */
const TYPES = { application: 1, inputMethod: 2, system: 3 } as const
const STATUS_BAR_PX = 60

const beside = (type: Window['type'], bounds: Bounds, packageName: string, children: readonly UiNode[]): Window => ({
  ...{ type, isActive: false, bounds },
  root: { ...PLAIN, packageName, className: 'android.widget.FrameLayout', bounds, children },
})

const statusBar = (width: number): Window => {
  const packageName = 'com.android.systemui'
  const bounds = { left: 0, top: 0, right: width, bottom: STATUS_BAR_PX }
  const clock = { ...PLAIN, packageName, text: '12:00', className: 'android.widget.TextView', bounds }
  return beside(TYPES.system, bounds, packageName, [clock])
}

/** From the one on top down. */
const windowsOf = ({ tree, width, front, isSystem, keyboard }: Screen): Window[] => [
  statusBar(width),
  ...(keyboard ? [beside(TYPES.inputMethod, keyboard, SYSTEM_KEYBOARD_PACKAGE, [])] : []),
  ...tree.roots.map(root => ({
    type: isSystem ? TYPES.system : TYPES.application,
    isActive: true,
    bounds: front,
    root,
    hidden: leftOver(root.packageName),
  })),
]

const windowAttributes = ({ type, isActive, bounds }: Window, index: number, count: number): Attributes => ({
  'window-index': index,
  'window-type': type,
  'window-layer': count - index,
  'window-active': isActive,
  'window-focused': isActive,
  'window-bounds': boundsText(bounds),
})

export const writeHierarchy = (screen: Screen, limits: { depth: number; nodes: number }) => {
  let nodeCount = 0
  let truncated = false
  const write = (node: UiNode, index: number, depth: number, isVisible: boolean, window?: Window): string => {
    if (nodeCount >= limits.nodes || depth > limits.depth) {
      truncated = true
      return ''
    }
    nodeCount += 1
    const ofWindow = window && windowAttributes(window, index, windows.length)
    const open = `<node${written({ index, ...ofWindow, ...attributesOf(node, screen, isVisible) })}`
    const children = window?.hidden ? [...node.children, window.hidden] : node.children
    const inside = children.map((child, at) => write(child, at, depth + 1, child !== window?.hidden)).join('')
    return children.length === 0 ? `${open} />` : `${open}>${inside}</node>`
  }
  const windows = windowsOf(screen)
  const roots = windows.map((window, at) => write(window.root, at, 0, true, window)).filter(root => root !== '')
  const xml = `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">${roots.join('')}</hierarchy>`
  return { xml, windowCount: roots.length, nodeCount, truncated }
}
