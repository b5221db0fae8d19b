/** The notes of the page where it shows less than there is. */

import { type UiTree, walk } from '../../contracts/device/ui-tree.ts'
import type { ExecutionSummariesResponse } from '../../contracts/doors/viewer.ts'
import { DRAWN_NODES_MAX } from '../../contracts/limits/limits.ts'

/** Both have an index. */
const NARROW = 'To reach further back, filter by device or skill run, or run svc journal export --to <file>.'

/** Notes the part of the requested list that is missing; the rest of the list may still be requested. */
export const listLimitNote = (
  { count, searched, older }: Pick<ExecutionSummariesResponse, 'count' | 'searched' | 'older'>,
  most: number,
): string | undefined => {
  if (!older) return undefined
  if (count >= most) return `The newest ${most} matches are shown; there are older ones. ${NARROW}`
  if (searched < most) return undefined
  return `State, code and operator were compared with the newest ${searched} executions; there are older ones. ${NARROW}`
}

/** Undefined when every node is drawn. */
export const drawingLimitNote = (tree: UiTree, most = DRAWN_NODES_MAX): string | undefined => {
  let nodes = 0
  for (const _ of walk(tree.roots)) nodes += 1
  if (nodes <= most) return undefined
  return `The drawing has the first ${most} of ${nodes} nodes. Take a screenshot (take_screenshot) to see the whole screen.`
}
