/** What retention may take, for every store. */
import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { JournalRecord } from '../../contracts/journal.ts'

/**
 * An actor whose newest record is older than this goes with its whole history, unless its work is in flight. The
 * newest record of the journal stays, so that no position is ever used twice.
 */
export const isForgotten = (newest: JournalRecord, before: number, head: number): boolean =>
  newest.at < before && newest.seq !== head && !newest.tags.includes(IN_FLIGHT)
