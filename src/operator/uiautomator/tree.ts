/** The helper's XML as the tree that `uiautomator dump` would give: the active window, what is visible of it, cut to the display. */
import { parseHierarchy } from '../engine/parse-hierarchy.ts'
import { roleOf } from '../engine/role.ts'
import type { Bounds, UiNode, UiTree } from '../engine/ui-tree.ts'

/** As the phone is held by nature. */
export interface Display {
  width: number
  height: number
}

export type ReadTree = { ok: true; tree: UiTree } | { ok: false; problem: string }

/** The helper leaves these out of its XML. */
export const UNKNOWN = ['checkable', 'checked', 'longClickable'] as const

type Attributes = ReadonlyMap<string, string>

const BOUNDS = /^\[-?\d{1,9},-?\d{1,9}\]\[(-?\d{1,9}),(-?\d{1,9})\]$/

/** Turned on its side: a window reaches where only the turned display does. */
const isTurned = (windows: readonly string[], { width, height }: Display): boolean =>
  windows.some(bounds => {
    const [, right = '0', bottom = '0'] = BOUNDS.exec(bounds) ?? []
    return (Number(right) > width && Number(right) <= height) || (Number(bottom) > height && Number(bottom) <= width)
  })

const cutTo = (display: Display) => {
  const within = (value: number, most: number) => Math.max(0, Math.min(value, most))
  return ({ left, top, right, bottom }: Bounds): Bounds => ({
    left: within(left, display.width),
    top: within(top, display.height),
    right: within(right, display.width),
    bottom: within(bottom, display.height),
  })
}

/** Without nodes, or with no window that is active, there is no tree yet. */
export const readHelperTree = (xml: string, natural: Display): ReadTree => {
  const seen = new Map<UiNode, Attributes>()
  const parsed = parseHierarchy(xml, (node, attributes) => void seen.set(node, attributes))
  if (!parsed.ok) return parsed
  const given = (node: UiNode, name: string) => seen.get(node)?.get(name)
  const { roots } = parsed.tree
  const active = roots.filter(
    root => given(root, 'window-active') === 'true' || given(root, 'window-index') === undefined,
  )
  const turned = isTurned(
    roots.flatMap(root => given(root, 'window-bounds') ?? []),
    natural,
  )
  const cut = cutTo(turned ? { width: natural.height, height: natural.width } : natural)
  const shown = (node: UiNode): UiNode[] => {
    if (given(node, 'visible-to-user') === 'false') return []
    const isHint = given(node, 'hint-showing') === 'true'
    const children = node.children.flatMap(shown)
    return [{ ...node, ...(isHint ? { text: '', hint: node.text } : {}), bounds: cut(node.bounds), children }]
  }
  const kept = active.flatMap(shown)
  if (kept.length === 0) return { ok: false, problem: seen.size === 0 ? 'no nodes' : 'no active window' }
  return { ok: true, tree: { rotation: turned ? 1 : 0, roots: kept, unknown: UNKNOWN } }
}

const CHECKED_ROLES: readonly (string | undefined)[] = ['checkbox', 'radio', 'switch']

/** Whether something that has a check mark may be in it, by the names of the classes. */
export const mayHoldChecks = (nodes: readonly UiNode[]): boolean =>
  nodes.some(
    node => CHECKED_ROLES.includes(roleOf(node)) || /Chip$/.test(node.className) || mayHoldChecks(node.children),
  )
