/** Compact text: one line per node, and the difference between two screens in the same lines. */

import { refOf } from '../../../contracts/executions/matcher.ts'
import { COMPACT_LABEL_CHARS, STALE_LINES_MAX } from '../../../contracts/limits/limits.ts'
import type { Screen, ScreenNode } from './screen.ts'

/** Its number on its device. */
export interface NumberedScreen {
  number: number
  screen: Screen
}

const quoted = (text: string): string => {
  const characters = Array.from(text)
  if (characters.length <= COMPACT_LABEL_CHARS) return JSON.stringify(text)
  return `${JSON.stringify(`${characters.slice(0, COMPACT_LABEL_CHARS).join('')}…`)} (${characters.length} characters)`
}

const shortId = (id: string): string => id.slice(id.indexOf('/') + 1)

/** The id stands in for a label that is not there. */
const nameOf = ({ label, hint, id }: ScreenNode): string[] => {
  if (label !== '') return [quoted(label)]
  if (hint !== undefined) return [`hint ${quoted(hint)}`]
  return id === '' ? [] : [`#${shortId(id)}`]
}

export const describeNode = (node: ScreenNode): string => [node.role, ...nameOf(node), ...node.state].join(' ')

const headOf = ({ number, screen }: NumberedScreen, note = ''): string =>
  `screen ${number} ${screen.package || '?'}${note}`

export const compactText = (numbered: NumberedScreen, note?: string): string => {
  const { number, screen } = numbered
  const lines = screen.nodes.map((node, index) => `${refOf(number, index + 1)} ${describeNode(node)}`)
  return [headOf(numbered, note), ...lines].join('\n')
}

/** The first lines of a compact text, for the details of a failure. */
export const firstLines = (text: string): { text: string; linesOmitted?: number } => {
  const lines = text.split('\n')
  const omitted = lines.length - STALE_LINES_MAX
  return omitted > 0 ? { text: lines.slice(0, STALE_LINES_MAX).join('\n'), linesOmitted: omitted } : { text }
}

export type ScreenChange =
  | { kind: 'removed'; before: ScreenNode }
  | { kind: 'added'; after: ScreenNode; at: number }
  | { kind: 'changed'; before: ScreenNode; after: ScreenNode; at: number }

const nameKey = ({ role, id, label, hint = '' }: ScreenNode) => [role, id, label, hint].join('\0')
const placeKey = ({ role, id, path }: ScreenNode) => [role, id, path].join('\0')

/** Pairs in the order of the screen; each node is in one pair at most. */
const pair = (before: Iterable<ScreenNode>, after: Iterable<ScreenNode>, key: (node: ScreenNode) => string) => {
  const waiting = new Map<string, { nodes: ScreenNode[]; next: number }>()
  for (const node of before) {
    const entry = waiting.get(key(node))
    if (entry) entry.nodes.push(node)
    else waiting.set(key(node), { nodes: [node], next: 0 })
  }
  const pairs = new Map<ScreenNode, ScreenNode>()
  for (const node of after) {
    const entry = waiting.get(key(node))
    const found = entry?.nodes[entry.next]
    if (!entry || !found) continue
    entry.next += 1
    pairs.set(node, found)
  }
  return pairs
}

/** By name first, so that a list that was scrolled is its new rows; what keeps its place has a new name. */
const changesBetween = (before: Screen, after: Screen): ScreenChange[] => {
  const byName = pair(before.nodes, after.nodes, nameKey)
  const named = new Set(byName.values())
  const byPlace = pair(
    before.nodes.filter(node => !named.has(node)),
    after.nodes.filter(node => !byName.has(node)),
    placeKey,
  )
  const kept = new Set([...named, ...byPlace.values()])
  const removed = before.nodes.filter(node => !kept.has(node)).map(node => ({ kind: 'removed', before: node }) as const)
  const others = after.nodes.flatMap((node, at): ScreenChange[] => {
    const was = byName.get(node) ?? byPlace.get(node)
    if (!was) return [{ kind: 'added', after: node, at }]
    return describeNode(was) === describeNode(node) ? [] : [{ kind: 'changed', before: was, after: node, at }]
  })
  return [...removed, ...others]
}

/** Only what differs of what it was. */
const previous = (before: ScreenNode, after: ScreenNode): string => {
  const names = [nameOf(before).join(''), nameOf(after).join('')]
  const was = [...(names[0] === names[1] ? [] : nameOf(before)), ...(isSameState(before, after) ? [] : before.state)]
  return was.length === 0 ? '' : ` was ${was.join(' ')}`
}

const isSameState = (before: ScreenNode, after: ScreenNode) => before.state.join() === after.state.join()

/** `+` is there now, `-` is gone, `~` is another. */
const changeLines = (changes: readonly ScreenChange[], number: number): string[] =>
  changes.map(change => {
    if (change.kind === 'removed') return `- ${describeNode(change.before)}`
    const { after, at } = change
    const line = `${refOf(number, at + 1)} ${describeNode(after)}`
    return change.kind === 'added' ? `+ ${line}` : `~ ${line}${previous(change.before, after)}`
  })

/** Prints the difference, or the whole screen where that is shorter because most of it is new. */
export const differenceText = (before: Screen, after: NumberedScreen, since: string): string => {
  const changes = changesBetween(before, after.screen)
  const isSamePackage = before.package === after.screen.package
  if (changes.length === 0 && isSamePackage) return headOf(after, ` (unchanged since ${since})`)
  const lines = changeLines(changes, after.number)
  const difference = [headOf(after, ` (changes since ${since})`), ...lines].join('\n')
  const whole = compactText(after, ` (another screen than ${since})`)
  return difference.length < whole.length ? difference : whole
}
