/** The helper's XML as the tree that `uiautomator dump` would give: the active window, what is visible of it, cut to the display. */

import { roleOf } from '../../../contracts/device/role.ts'
import { type Bounds, type UiNode, type UiTree, walk } from '../../../contracts/device/ui-tree.ts'
import { PIECE, type Sliced } from '../../../runtime/yielding.ts'
import { parsingHierarchy } from '../../screen/parse-hierarchy.ts'

/** The size of the phone in its natural orientation. */
export interface Display {
  width: number
  height: number
}

type ReadTree = { ok: true; tree: UiTree } | { ok: false; problem: string }

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

/** Fails while there is no tree yet: the XML has no nodes, or no active window. */
export const readingHelperTree = function* (xml: string, natural: Display): Sliced<ReadTree> {
  const seen = new Map<UiNode, Attributes>()
  const parsed = yield* parsingHierarchy(xml, (node, attributes) => void seen.set(node, attributes))
  if (!parsed.ok) return parsed
  const attributeOf = (node: UiNode, name: string) => seen.get(node)?.get(name)
  const { roots } = parsed.tree
  const active = roots.filter(
    root => attributeOf(root, 'window-active') === 'true' || attributeOf(root, 'window-index') === undefined,
  )
  const turned = isTurned(
    roots.flatMap(root => attributeOf(root, 'window-bounds') ?? []),
    natural,
  )
  const cut = cutTo(turned ? { width: natural.height, height: natural.width } : natural)
  const kept: UiNode[] = []
  const jobs: { nodes: readonly UiNode[]; shown: UiNode[] }[] = [{ nodes: active, shown: kept }]
  let done = 0
  for (let job = jobs.pop(); job; job = jobs.pop()) {
    for (const node of job.nodes) {
      done += 1
      if (done % PIECE === 0) yield
      if (attributeOf(node, 'visible-to-user') === 'false') continue
      const isHint = attributeOf(node, 'hint-showing') === 'true'
      const children: UiNode[] = []
      job.shown.push({
        ...node,
        ...(isHint && node.text !== '' ? { hint: node.text } : {}),
        bounds: cut(node.bounds),
        children,
      })
      if (node.children.length > 0) jobs.push({ nodes: node.children, shown: children })
    }
  }
  if (kept.length === 0) return { ok: false, problem: seen.size === 0 ? 'no nodes' : 'no active window' }
  return { ok: true, tree: { rotation: turned ? 1 : 0, roots: kept, unknown: UNKNOWN } }
}

const CHECKED_ROLES: readonly (string | undefined)[] = ['checkbox', 'radio', 'switch']

/** True when some node may contain a check mark, by the names of the classes. */
export const mayHoldChecks = function* (nodes: readonly UiNode[]): Sliced<boolean> {
  let seen = 0
  for (const { node } of walk(nodes)) {
    seen += 1
    if (seen % PIECE === 0) yield
    if (CHECKED_ROLES.includes(roleOf(node)) || /Chip$/.test(node.className)) return true
  }
  return false
}
