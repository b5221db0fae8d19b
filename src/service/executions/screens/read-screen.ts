/** From hierarchy XML to a screen, and from refs to what they stand for on it; pure, so that a thread can do it. */

import type { Point } from '../../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../../contracts/executions/matcher.ts'
import { parseHierarchy } from '../../../device/screen/parse-hierarchy.ts'
import { locatorOf, resolveRef } from './resolve-ref.ts'
import { nodeByPath, type Screen, screenOf } from './screen.ts'

/** A node of an earlier screen that is looked for. */
export interface WantedNode {
  before: Screen
  /** Its position in `before.nodes`. */
  at: number
}

export interface ScreenTask {
  xml: string
  /** The package of the application in front. */
  package: string
  wanted: WantedNode[]
}

export type LocatedRef =
  | { ok: true; matcher?: Matcher; point?: Point; isUnsure?: true }
  /** The ref does not stand any more. */
  | { ok: false; reason: string }

export type ScreenRead = { ok: true; screen: Screen; found: LocatedRef[] } | { ok: false; problem: string }

export const readScreen = ({ xml, package: foreground, wanted }: ScreenTask): ScreenRead => {
  const parsed = parseHierarchy(xml)
  if (!parsed.ok) return { ok: false, problem: `the hierarchy cannot be read: ${parsed.problem}` }
  const { tree } = parsed
  const screen = screenOf(tree, foreground)
  const found = wanted.map(({ before, at }): LocatedRef => {
    const ref = before.nodes[at]
    if (!ref) return { ok: false, reason: 'that screen had no such node' }
    const standing = resolveRef(before, ref, screen)
    if (!standing.ok) return standing
    const node = nodeByPath(tree, standing.node.path)
    return node ? { ok: true, ...locatorOf(tree, node) } : { ok: false, reason: 'the node is gone' }
  })
  return { ok: true, screen, found }
}
