/** The failure of a text that is for a node of another kind, such as a switch. */

import { roleOf } from '../../contracts/device/role.ts'
import type { UiNode } from '../../contracts/device/ui-tree.ts'
import { NO_FIELD_HINT } from '../../contracts/failures/step-hints.ts'
import { StepFailure } from './step-failure.ts'

export const notTextField = (node: UiNode): StepFailure => {
  const role = roleOf(node)
  const kind = role === undefined ? `class is ${node.className || 'not known'}` : `role is ${role}`
  return new StepFailure('ACTION_FAILED', `the node is not a text field: its ${kind}`, { hint: NO_FIELD_HINT })
}
