/** What the operator port needs for compact screens. */
import { createScreenMemory } from '../../src/operator/screens/memory.ts'
import { createScreenReader } from '../../src/operator/screens/reader.ts'
import { createRecordDenial } from '../../src/policy/refuse.ts'
import type { Clock } from '../../src/runtime/clock.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'

/** And for what the policy denies between steps. */
export const screenParts = (journal: Journal, clock: Clock) => ({
  screens: createScreenMemory({ journal, clock }),
  reader: createScreenReader(undefined),
  recordDenial: createRecordDenial({ journal, clock, note: () => {} }),
})
