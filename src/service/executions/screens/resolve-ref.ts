/**
 * Finds the node that a ref was given for on the present screen. Any doubt counts as gone: a ref is a promise about
 * one node, and a touch on another one cannot be taken back.
 */

import { roleOf } from '../../../contracts/device/role.ts'
import { type FoundNode, labelOf, type Point, type UiNode, type UiTree } from '../../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../../contracts/executions/matcher.ts'
import { MATCHER_CHARS_MAX } from '../../../contracts/limits/limits.ts'
import { withAncestors } from '../../../device/screen/match.ts'
import { findAll } from '../../../device/screen/search.ts'
import { findTapPoint } from '../../../device/screen/tap-point.ts'
import type { Screen, ScreenNode } from './screen.ts'

/** Both where both are there: what is clicked may be told by either. */
interface NodeLocator {
  matcher?: Matcher
  point?: Point
  /** Nothing tells if the node is what lies on top there. */
  isUnsure?: true
}

const usable = (text: string): boolean => text !== '' && text.length <= MATCHER_CHARS_MAX && !/[\0\p{Cs}]/u.test(text)

const keysOf = (node: UiNode): Matcher => ({
  ...(usable(node.resourceId) ? { resourceId: node.resourceId } : {}),
  ...(usable(labelOf(node)) ? { textEquals: labelOf(node) } : {}),
  ...(usable(node.contentDesc) && node.text !== '' ? { contentDescEquals: node.contentDesc } : {}),
})

/** The names of roles may differ between operators: they are used where nothing else tells the node. */
const matchersFor = (node: UiNode): Matcher[] => {
  const keys = keysOf(node)
  const role = roleOf(node)
  const all = role === undefined ? [keys] : [keys, { ...keys, role }]
  return all.filter(matcher => Object.keys(matcher).length > 0)
}

const findsOnly = ({ roots }: UiTree, matcher: Matcher, node: UiNode): boolean => {
  let count = 0
  for (const found of findAll(roots, matcher)) {
    count += 1
    if (found.node !== node || count > 1) return false
  }
  return count === 1
}

const receiverOf = (found: FoundNode): UiNode => {
  for (const { node } of withAncestors(found)) if (node.clickable || node.longClickable) return node
  return found.node
}

export const locatorOf = (tree: UiTree, found: FoundNode): NodeLocator => {
  const { node } = found
  const matcher = matchersFor(node).find(each => findsOnly(tree, each, node))
  if (matcher) return { matcher }
  const receiver = receiverOf(found)
  const { coveredBy: _, ...touch } = receiver.enabled ? findTapPoint(found, receiver) : {}
  return touch
}

type ResolvedRef = { ok: true; node: ScreenNode } | { ok: false; reason: string }

/** Figures change by themselves: clocks, counters, percentages. */
const withoutFigures = (label: string): string => label.replace(/\p{Nd}+/gu, '0')

const isField = ({ role }: ScreenNode) => role === 'textfield'

/** The text in a field is left out: it changes while the field stays the same. */
const identityOf = (node: ScreenNode): string =>
  [
    node.className,
    node.id,
    node.packageName,
    node.within,
    isField(node) ? '' : node.label,
    // Touching something that is on is not the same as touching it while it is off.
    ...node.state.filter(word => word === 'on' || word === 'off'),
  ].join('\0')

/** The node whatever it is like: what tells people that it changed, and how. */
const kindOf = ({ className, id, path }: ScreenNode): string => [className, id, path].join('\0')

const labelsOf = (nodes: readonly ScreenNode[], form: (label: string) => string): string[] =>
  nodes.filter(node => node.label !== '' && !isField(node)).map(({ role, label }) => `${role}\0${form(label)}`)

const shareKept = (before: readonly string[], after: readonly string[]): number => {
  if (before.length === 0) return 1
  const counts = new Map<string, number>()
  for (const label of after) counts.set(label, (counts.get(label) ?? 0) + 1)
  const kept = before.filter(label => {
    const count = counts.get(label) ?? 0
    if (count > 0) counts.set(label, count - 1)
    return count > 0
  })
  return kept.length / before.length
}

const asItIs = (label: string): string => label

const rowKeys = (screen: Screen, form: (label: string) => string): ReadonlyMap<string, string> => {
  const rows = new Map<string, ScreenNode[]>()
  for (const node of screen.nodes) {
    if (node.row === undefined) continue
    const row = rows.get(node.row)
    if (row) row.push(node)
    else rows.set(node.row, [node])
  }
  // The depth is part of the key: where rows begin depends on the number of rows.
  const depth = (path: string) => path.split('.').length
  return new Map([...rows].map(([path, nodes]) => [path, [depth(path), ...labelsOf(nodes, form)].join('\n')]))
}

/** The share of the other texts of a screen that must still be there. */
const KEPT_SHARE_MIN = 0.5

/** Why what is in front is not the screen of the ref. */
const otherScreen = (before: Screen, after: Screen, ref: ScreenNode): string | undefined => {
  if (before.package !== after.package) return `${after.package || 'another application'} is in front`
  if (before.isDialog !== after.isDialog) return after.isDialog ? 'a dialog has opened' : 'the dialog has closed'
  if (before.isDialog) {
    const isSame =
      shareKept(
        labelsOf(before.nodes, label => label),
        labelsOf(after.nodes, label => label),
      ) === 1
    return isSame ? undefined : 'the dialog says something else'
  }
  const others = before.nodes.filter(node => node !== ref)
  const share = shareKept(labelsOf(others, withoutFigures), labelsOf(after.nodes, withoutFigures))
  return share < KEPT_SHARE_MIN ? 'most of what the screen said is different' : undefined
}

const PASSING: readonly string[] = ['focused', 'selected', 'disabled', 'on', 'off']

const layoutOf = ({ nodes }: Screen): string =>
  nodes
    .map(({ path, className, id, label, state }) =>
      [path, className, id, label, ...state.filter(word => !PASSING.includes(word))].join('\0'),
    )
    .join('\n')

/** A node in its place that was elsewhere before has only moved there. */
const hasChanged = (ref: ScreenNode, before: Screen, after: Screen): boolean => {
  const known = new Set(before.nodes.map(identityOf))
  return after.nodes.some(node => kindOf(node) === kindOf(ref) && !known.has(identityOf(node)))
}

interface LookAlikes {
  were: ScreenNode[]
  are: ScreenNode[]
}

/** The nodes in a row that says the same. */
const inSameRow = (
  { were, are }: LookAlikes,
  before: Screen,
  after: Screen,
  ref: ScreenNode,
  form = asItIs,
): LookAlikes => {
  const [rowsBefore, rowsAfter] = [rowKeys(before, form), rowKeys(after, form)]
  const rowOf = ({ row }: ScreenNode, rows: ReadonlyMap<string, string>) =>
    row === undefined ? undefined : (rows.get(row) ?? '')
  const wanted = rowOf(ref, rowsBefore)
  return {
    were: were.filter(node => rowOf(node, rowsBefore) === wanted),
    are: are.filter(node => rowOf(node, rowsAfter) === wanted),
  }
}

const onlyMatch = ({ were, are }: LookAlikes): ScreenNode | undefined =>
  were.length === 1 && are.length === 1 ? are[0] : undefined

/** A row that says something beside the node itself. */
const isNamedByRow = (ref: ScreenNode, { nodes }: Screen): boolean =>
  ref.row !== undefined && nodes.some(node => node.row === ref.row && node !== ref && node.label !== '')

/**
 * A node that nothing else looked like is found again wherever it is, in its own row if it was in one. One of several is
 * found by its row, to the letter; or by its place, while nothing on the screen has moved.
 */
export const resolveRef = (before: Screen, ref: ScreenNode, after: Screen): ResolvedRef => {
  const other = otherScreen(before, after, ref)
  if (other !== undefined) return { ok: false, reason: other }
  const identity = identityOf(ref)
  const alike = ({ nodes }: Screen) => nodes.filter(node => identityOf(node) === identity)
  const all: LookAlikes = { were: alike(before), are: alike(after) }
  if (all.are.length === 0) {
    return { ok: false, reason: hasChanged(ref, before, after) ? 'the node has changed' : 'the node is gone' }
  }
  if (all.were.length === 1 && all.are.length > 1) {
    return { ok: false, reason: `${all.are.length} nodes look like it now` }
  }
  const found =
    all.were.length === 1
      ? onlyMatch(inSameRow(all, before, after, ref, withoutFigures))
      : layoutOf(before) === layoutOf(after)
        ? all.are.find(({ path }) => path === ref.path)
        : isNamedByRow(ref, before)
          ? onlyMatch(inSameRow(all, before, after, ref))
          : undefined
  return found ? { ok: true, node: found } : { ok: false, reason: 'what is beside the node has changed' }
}
