/** Takes one segment to whoever performs it: the operator, or the host. */

import { performSteps } from '../../../device/operators/perform-over-link.ts'
import { isHostGesture, type Segment } from '../../../device/operators/segment.ts'
import type { SegmentOutcome } from '../../../device/operators/segment-outcome.ts'
import type { ExecutionRun } from './execution-run.ts'
import { performHostStep } from './perform-on-host.ts'

/** `nextIndex` gives the looks that a host step needs their places among the segments. */
export const deliver = (segment: Segment, run: ExecutionRun, nextIndex: () => number): Promise<SegmentOutcome> => {
  if (segment.kind === 'operator') return run.operator.deliver(segment, run)
  const { action, index } = segment
  const hands = run.operator.hostHands(run, nextIndex)
  return isHostGesture(action) ? performSteps([action], index, run, hands) : performHostStep(action, index, run, hands)
}
