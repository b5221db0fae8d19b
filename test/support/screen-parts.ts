/** The parts of the operator port that rest on the journal: compact screens, and requests to cancel. */
import { isCancelRequested } from '../../src/executions/cancel-requests.ts'
import { createChangeMemory } from '../../src/operator/changes/change-memory.ts'
import { matchHere } from '../../src/operator/engine/pattern.ts'
import { createScreenMemory } from '../../src/operator/screens/screen-memory.ts'
import { createScreenReader } from '../../src/operator/screens/screen-reader.ts'
import { createRecordDenial } from '../../src/policy/refuse.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import { systemIds } from '../../src/runtime/ids.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'

/** And for what the policy denies between steps. */
export const screenParts = (journal: Journal, clock: Clock) => ({
  screens: createScreenMemory({ journal, clock }),
  changes: createChangeMemory({ journal, clock }),
  reader: createScreenReader(undefined),
  matchPattern: matchHere,
  ids: systemIds(),
  random: Math.random,
  recordDenial: createRecordDenial({ journal, clock, note: () => {} }),
  isCancelRequested: (executionId: string) => isCancelRequested(journal, executionId),
})
