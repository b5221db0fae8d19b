/** The matcher that selects exactly one node of a screen, told by the code that actions are matched with; also as flags of the CLI. */

import { roleOf } from '../../../contracts/device/role.ts'
import { isOnScreen, labelOf, type UiNode, type UiTree } from '../../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../../contracts/executions/matcher.ts'
import { findAll } from '../../../device/screen/search.ts'
import { quote } from '../../../runtime/text/quote.ts'

export type Selection =
  | { kind: 'exact'; matcher: Matcher }
  /** No matcher tells it from its likes: the best one, and how many nodes it selects. */
  | { kind: 'shared'; matcher: Matcher; count: number }
  | { kind: 'none' }

/** A ref is of one snapshot, and a state may pass: what is copied here is to last. */
type Key = 'textEquals' | 'textContains' | 'resourceId' | 'contentDescEquals' | 'contentDescContains' | 'role'

/** The facts that identify a node, the most specific first. */
const factsOf = (node: UiNode): readonly (readonly [Key, string])[] => {
  const label = labelOf(node)
  const role = roleOf(node)
  const facts: [Key, string | undefined][] = [
    ['resourceId', node.resourceId],
    ['textEquals', label],
    ['contentDescEquals', node.contentDesc],
    ['role', role],
  ]
  return facts.flatMap(([key, value]) => (value ? [[key, value] as const] : []))
}

/** Every choice of facts, those of fewer facts first. */
const choices = (facts: readonly (readonly [Key, string])[]): readonly Matcher[] => {
  const all = Array.from({ length: 2 ** facts.length - 1 }, (_, bits) =>
    facts.filter((_, index) => (bits + 1) & (1 << index)),
  )
  // A role alone says little, and would be wrong on the next screen.
  const weight = (chosen: typeof facts) => chosen.length + (chosen.length === 1 && chosen[0]?.[0] === 'role' ? 1.5 : 0)
  return all.sort((a, b) => weight(a) - weight(b)).map(chosen => Object.fromEntries(chosen))
}

/** Counting stops at this many nodes. */
const COUNTED_MAX = 100

const selectedBy = (tree: UiTree, matcher: Matcher): readonly UiNode[] => {
  const found: UiNode[] = []
  for (const { node } of findAll(tree.roots, matcher)) {
    found.push(node)
    if (found.length === COUNTED_MAX) break
  }
  return found
}

export const matcherFor = (tree: UiTree, node: UiNode): Selection => {
  const facts = factsOf(node)
  if (!isOnScreen(node) || facts.length === 0) return { kind: 'none' }
  let best: Selection = { kind: 'none' }
  for (const matcher of choices(facts)) {
    const found = selectedBy(tree, matcher)
    if (found.length === 1 && found[0] === node) return { kind: 'exact', matcher }
    if (best.kind !== 'shared' || found.length < best.count) best = { kind: 'shared', matcher, count: found.length }
  }
  return best
}

const FLAGS: { [K in Key]-?: string } = {
  textEquals: 'text',
  textContains: 'text-contains',
  resourceId: 'id',
  contentDescEquals: 'desc',
  contentDescContains: 'desc-contains',
  role: 'role',
}

export const flagsOf = (matcher: Matcher): string =>
  (Object.keys(FLAGS) as Key[])
    .flatMap(key => {
      const value = matcher[key]
      if (value === undefined) return []
      // A value that begins with a dash would be read as a flag.
      return [value.startsWith('-') ? `--${FLAGS[key]}=${quote(value)}` : `--${FLAGS[key]} ${quote(value)}`]
    })
    .join(' ')
