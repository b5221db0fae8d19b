/** One execution and all that it runs with. */

import type { DraftOwners } from '../../../device/files/host-drafts.ts'
import type { InteractiveCheck } from '../../../device/link/interactive.ts'
import type { Link } from '../../../device/link/link.ts'
import type { Operator } from '../../../device/operators/operators.ts'
import type { SegmentRun } from '../../../device/operators/segment-run.ts'
import type { ChangeMemory } from '../../../device/settings/changes/change-memory.ts'
import type { RecordDenial } from '../../policy/refuse.ts'
import type { Dispatch } from '../dispatch.ts'
import type { ScreenMemory } from '../screens/screen-memory.ts'
import type { ScreenReader } from '../screens/screen-reader.ts'

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
