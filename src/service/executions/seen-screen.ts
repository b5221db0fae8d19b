/** A screen that an execution saw: the nodes of a snapshot as those need them who compare screens. */

import { isTextField } from '../../contracts/device/role.ts'
import { contentOf, isOnScreen, readingOf, type UiTree, walk } from '../../contracts/device/ui-tree.ts'
import type { Matcher } from '../../contracts/executions/matcher.ts'
import { isFocusedField } from '../../device/screen/match.ts'
import { parseHierarchy } from '../../device/screen/parse-hierarchy.ts'
import { findFirst } from '../../device/screen/search.ts'

export interface SeenNode {
  text: string
  /** Its text, else its content description. */
  label: string
  resourceId: string
  packageName: string
  /** The node or one around it takes a click. */
  clickable: boolean
  password: boolean
  /** Text can be typed into it. */
  editable: boolean
}

export interface SeenScreen {
  packageName: string
  /** The nodes that are on the screen, depth first. */
  nodes: readonly SeenNode[]
  tree: UiTree
}

/** Undefined for a snapshot that cannot be read. */
export const readScreen = (data: Readonly<Record<string, string>>): SeenScreen | undefined => {
  const parsed = parseHierarchy(data.text ?? '')
  if (!parsed.ok) return undefined
  const clickable = new Set<unknown>()
  const nodes: SeenNode[] = []
  for (const { node, parent } of walk(parsed.tree.roots)) {
    if (node.clickable || clickable.has(parent?.node)) clickable.add(node)
    if (!isOnScreen(node)) continue
    const { resourceId, packageName, password } = node
    const editable = isTextField(node)
    nodes.push({
      text: contentOf(node),
      label: readingOf(node),
      resourceId,
      packageName,
      password,
      editable,
      clickable: clickable.has(node),
    })
  }
  const packageName = data.foreground_package ?? parsed.tree.roots[0]?.packageName ?? ''
  return { packageName, nodes, tree: parsed.tree }
}

/** True when text typed there is hidden. */
export const isPasswordIn = ({ tree }: SeenScreen, matcher: Matcher): boolean => {
  const found = findFirst(tree, matcher)
  if (!found) return false
  for (const { node } of walk([found.node])) if (node.password) return true
  return false
}

/** True for the field that has the focus; undefined when none has it. */
export const isFocusedPasswordIn = ({ tree }: SeenScreen): boolean | undefined => {
  for (const { node } of walk(tree.roots)) if (isFocusedField(node)) return node.password
  return undefined
}
