/** The segments that the steps of an execution are cut into: for the operator app, or one step performed over the link. */
import { performedBy } from '../../contracts/actions/cards.ts'
import type { Action } from '../../contracts/executions/action.ts'

/**
 * The index counts both kinds, in the order of the list; it is the segment of `execution.dispatched` and of the wire id.
 * `isListed`: its actions are steps of the list as they stand there, and no look or gesture that the host needs for one.
 * `isShort`: it ends before the segment of the list does, for what comes next has to be decided or looked for first.
 * `isUnbegun`: a look for a step of which no gesture was sent yet, and every gesture of that step will be a segment.
 */
export interface SegmentFacts {
  isListed?: boolean
  isShort?: boolean | undefined
  isUnbegun?: boolean | undefined
}
export type Segment =
  | ({ kind: 'operator'; index: number; actions: readonly Action[] } & SegmentFacts)
  | { kind: 'host'; index: number; action: Action }

/** How many steps of the list it has. */
export const lengthOf = (segment: Segment): number => (segment.kind === 'host' ? 1 : segment.actions.length)

/** Performed by the host over the link, on the screen as the operator sees it. */
export const isHostGesture = (action: Action): boolean => performedBy(action) === 'screen'

export const isHostAction = (action: Action): boolean => performedBy(action) !== 'operator'

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
