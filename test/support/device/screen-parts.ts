/** The parts of the operator port that rest on the journal: compact screens, and requests to cancel. */

import { matchHere } from '../../../src/device/screen/patterns/pattern.ts'
import { createChangeMemory } from '../../../src/device/settings/changes/change-memory.ts'
import type { Clock } from '../../../src/runtime/clock.ts'
import { systemIds } from '../../../src/runtime/ids.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { isCancelRequested } from '../../../src/service/executions/cancel-requests.ts'
import { askNothing } from '../../../src/service/executions/evidence/ask-phone.ts'
import { createScreenMemory } from '../../../src/service/executions/screens/screen-memory.ts'
import { createScreenReader } from '../../../src/service/executions/screens/screen-reader.ts'
import { createRecordDenial } from '../../../src/service/policy/refuse.ts'

/** And for what the policy denies between steps. */
export const screenParts = (journal: Journal, clock: Clock) => ({
  screens: createScreenMemory({ journal, clock }),
  changes: createChangeMemory({ journal, clock }),
  reader: createScreenReader(undefined),
  matchPattern: matchHere,
  ids: systemIds(),
  bootId: () => 'this boot',
  random: Math.random,
  journal,
  learner: () => ({ learn: async () => undefined, askFor: askNothing }),
  recordDenial: createRecordDenial({ journal, clock, note: () => {} }),
  isCancelRequested: (executionId: string) => isCancelRequested(journal, executionId),
})
