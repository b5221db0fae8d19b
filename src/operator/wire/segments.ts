/** How a list of steps is cut: what the operator does in one go, and what the host does in between. */
import type { Action } from '../../contracts/action.ts'
import { HOST_ACTION_TYPES } from '../../contracts/operator.ts'

export type HostAction = Extract<Action, { type: (typeof HOST_ACTION_TYPES)[number] }>

/** The index counts both kinds, in the order of the list; it is the segment of `execution.dispatched` and of the wire id. */
export type Segment =
  | { kind: 'operator'; index: number; actions: readonly Action[] }
  | { kind: 'host'; index: number; action: HostAction }

export const isHostAction = (action: Action): action is HostAction =>
  HOST_ACTION_TYPES.some(type => type === action.type)

export const cutSegments = (actions: readonly Action[]): Segment[] => {
  const segments: Segment[] = []
  let together: Action[] = []
  for (const action of actions) {
    if (isHostAction(action)) {
      together = []
      segments.push({ kind: 'host', index: segments.length, action })
    } else {
      if (together.length === 0) segments.push({ kind: 'operator', index: segments.length, actions: together })
      together.push(action)
    }
  }
  return segments
}
