/** What the parts of the suite share: a fresh journal in each test, and who is alive. */
import type { Journal } from '../../../src/runtime/journal/journal.ts'

export interface Bench {
  journal(): Journal
  dead: Set<number>
}
