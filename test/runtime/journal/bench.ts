/** What the parts of the suite share: a fresh journal in each test, and who is alive. */
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import type { ManualClock } from '../../support/manual-clock.ts'

export interface Bench {
  journal(): Journal
  dead: Set<number>
  /** Pids of holders that cannot be seen from here. */
  unseen: Set<number>
  clock(): ManualClock
  /** What was reported. */
  troubles: string[]
}
