/**
 * One execution and all that it runs with, and the way of a segment to whoever performs it: the operator, or the
 * host.
 */

import type { DraftOwners } from '../../../device/files/host-drafts.ts'
import type { InteractiveCheck } from '../../../device/link/interactive.ts'
import type { Link } from '../../../device/link/link.ts'
import type { Operator } from '../../../device/operators/operators.ts'
import { performSteps } from '../../../device/operators/perform-over-link.ts'
import { isHostGesture, type Segment } from '../../../device/operators/segment.ts'
import type { SegmentOutcome } from '../../../device/operators/segment-outcome.ts'
import type { SegmentRun } from '../../../device/operators/segment-run.ts'
import type { ChangeMemory } from '../../../device/settings/changes/change-memory.ts'
import type { RecordDenial } from '../../policy/refuse.ts'
import type { Dispatch } from '../dispatch.ts'
import type { ScreenMemory } from '../screens/screen-memory.ts'
import type { ScreenReader } from '../screens/screen-reader.ts'
import { performHostStep } from './perform-on-host.ts'

/** `nextIndex` gives the looks that a host step needs their places among the segments. */
export const deliver = (segment: Segment, run: ExecutionRun, nextIndex: () => number): Promise<SegmentOutcome> => {
  if (segment.kind === 'operator') return run.operator.deliver(segment, run)
  const { action, index } = segment
  const hands = run.operator.hostHands(run, nextIndex)
  return isHostGesture(action) ? performSteps([action], index, run, hands) : performHostStep(action, index, run, hands)
}

export interface ExecutionRun extends SegmentRun {
  dispatch: Dispatch
  operator: Operator
  checkInteractive: InteractiveCheck & { forget(link: Link): void }
  screens: ScreenMemory
  changes: ChangeMemory
  reader: ScreenReader
  recordDenial: RecordDenial
  /** The processes of this machine unless told. */
  draftOwners?: DraftOwners | undefined
}
