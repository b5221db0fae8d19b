/** Reads the text of a dump of a screen. It comes from anywhere, so everything about it is bounded. */

import { type UiNode, walk } from '../../contracts/device/ui-tree.ts'
import { DUMP_CHARS_MAX, DUMP_DEPTH_MAX, DUMP_NODES_MAX } from '../../contracts/limits/limits.ts'
import { decodeReferences, Malformed, parseHierarchy } from '../../device/screen/parse-hierarchy.ts'
import { ACTIVITY_NAME } from '../scenario/field-schemas.ts'

export interface Dump {
  /** The window of the application in front. */
  root: UiNode
  rotation: number
  /** Class name, where the dump tells it. */
  activity?: string
}

type ReadDump = { ok: true; dump: Dump } | { ok: false; problem: string }

/** The facts that one of our snapshots holds beside the hierarchy. */
interface Source {
  xml: string
  packageName?: string
  activity?: string
}

interface Snapshot {
  envelope?: { stepResults?: { data?: { text?: unknown; foreground_package?: unknown } }[] }
}

/** The result of `svc snapshot` and of executions with a snapshot in them; the last one counts. */
const fromJson = (text: string): Source | undefined => {
  const parsed = JSON.parse(text) as Snapshot | null
  const steps = parsed?.envelope?.stepResults
  const data = (Array.isArray(steps) ? steps : []).findLast(step => typeof step?.data?.text === 'string')?.data
  if (typeof data?.text !== 'string') return undefined
  const { text: xml, foreground_package: packageName } = data
  return { xml, ...(typeof packageName === 'string' ? { packageName } : {}) }
}

const WINDOW = /<window\s[^<>]{0,4000}>/g
const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]{0,1000})"`).exec(tag)?.[1]
const COMPONENT = /^([A-Za-z][\w.]*)\/([\w.$]+)$/

/** `uiautomator dump --windows` has a hierarchy for each window: the active one is kept. */
const activeWindow = (xml: string): Source => {
  const windows = [...xml.matchAll(WINDOW)]
  const is = (tag: string, name: string) => attribute(tag, name) === 'true'
  const found = windows.find(([tag]) => is(tag, 'active')) ?? windows.find(([tag]) => is(tag, 'focused'))
  if (!found) return { xml }
  const title = decodeReferences(attribute(found[0], 'title') ?? '', found.index)
  const [, packageName, activity] = COMPONENT.exec(title) ?? []
  const rest = xml.slice(found.index + found[0].length)
  const isKnown = packageName && activity && ACTIVITY_NAME.test(activity)
  return { xml: rest, ...(isKnown ? { packageName, activity } : {}) }
}

const sourceOf = (text: string): Source | undefined => {
  if (!/^\s*\{/.test(text)) return activeWindow(text)
  const source = fromJson(text)
  return source && { ...source, ...activeWindow(source.xml) }
}

/** Not more nodes and levels than are taken. */
const isBounded = (root: UiNode): boolean => {
  let level: readonly UiNode[] = [root]
  let nodes = 0
  for (let depth = 1; level.length > 0; depth += 1) {
    nodes += level.length
    if (depth > DUMP_DEPTH_MAX || nodes > DUMP_NODES_MAX) return false
    level = level.flatMap(({ children }) => children)
  }
  return true
}

const areaOf = ({ bounds: { left, top, right, bottom } }: UiNode) =>
  Math.max(0, right - left) * Math.max(0, bottom - top)

const hasFocus = (root: UiNode): boolean => [...walk([root])].some(({ node }) => node.focused)

const SYSTEM = /^(?:com\.android\.systemui$|.*\binputmethod\b)/

/** Chooses the window that is worked with: as named, not the system's, with the focus, the largest. */
const activeRoot = (roots: readonly UiNode[], packageName: string | undefined): UiNode | undefined => {
  const rank = (root: UiNode) => [
    Number(root.packageName === packageName),
    Number(!SYSTEM.test(root.packageName)),
    Number(hasFocus(root)),
    areaOf(root),
  ]
  const higher = (a: UiNode, b: UiNode): UiNode => {
    const [ranksA, ranksB] = [rank(a), rank(b)]
    const at = ranksA.findIndex((value, index) => value !== ranksB[index])
    return at >= 0 && (ranksB[at] ?? 0) > (ranksA[at] ?? 0) ? b : a
  }
  return roots.length === 0 ? undefined : roots.reduce(higher)
}

const read = (text: string, wanted: string | undefined): ReadDump => {
  const source = sourceOf(text)
  if (!source) return { ok: false, problem: 'the JSON contains no snapshot' }
  const parsed = parseHierarchy(source.xml)
  if (!parsed.ok) return { ok: false, problem: `${parsed.problem} (at character ${parsed.at})` }
  const root = activeRoot(parsed.tree.roots, wanted ?? source.packageName)
  if (!root) return { ok: false, problem: 'the hierarchy is empty' }
  if (!isBounded(root)) {
    return { ok: false, problem: `there are more than ${DUMP_NODES_MAX} nodes, or more than ${DUMP_DEPTH_MAX} levels` }
  }
  const { rotation } = parsed.tree
  const { activity } = source
  return { ok: true, dump: { root, rotation, ...(activity === undefined ? {} : { activity }) } }
}

/** XML of `uiautomator dump`, or the JSON of one of our snapshots. Never throws. */
export const readDump = (text: string, wanted?: string): ReadDump => {
  if (text.length > DUMP_CHARS_MAX) return { ok: false, problem: `it is longer than ${DUMP_CHARS_MAX} characters` }
  try {
    return read(text.replace(/^\uFEFF/, ''), wanted)
  } catch (error) {
    if (error instanceof Malformed) return { ok: false, problem: error.message }
    if (error instanceof SyntaxError) return { ok: false, problem: `it is not valid JSON: ${error.message}` }
    throw error
  }
}
