/** The segments that the steps of an execution are cut into: for the operator app, or one step performed over the link. */
import { isOpenedByHost } from '../../contracts/actions/app.ts'
import { HOST_ACTION_TYPES, HOST_GESTURE_TYPES } from '../../contracts/device/operator.ts'
import type { Action } from '../../contracts/executions/action.ts'
import { isOperatorKey } from '../../contracts/executions/key-names.ts'

export type HostAction = Extract<Action, { type: (typeof HOST_ACTION_TYPES)[number] | 'open_app' | 'open_uri' }>

/** The index counts both kinds, in the order of the list; it is the segment of `execution.dispatched` and of the wire id. */
export type Segment =
  | { kind: 'operator'; index: number; actions: readonly Action[] }
  | { kind: 'host'; index: number; action: HostAction | HostGesture }

/** Performed by the host over the link, on the screen as the operator sees it. */
export type HostGesture = Extract<Action, { type: (typeof HOST_GESTURE_TYPES)[number] | 'press_key' }>

export const isHostGesture = (action: Action): action is HostGesture =>
  action.type === 'press_key'
    ? action.params.longPress === true || !isOperatorKey(action.params.key)
    : HOST_GESTURE_TYPES.some(type => type === action.type)

export const isHostAction = (action: Action): action is HostAction | HostGesture =>
  isHostGesture(action) || isOpenedByHost(action) || HOST_ACTION_TYPES.some(type => type === action.type)

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
