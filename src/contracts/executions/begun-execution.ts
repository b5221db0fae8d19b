/** Tells the request that a device took from those under the same id that it refused before, which are on record as well. */
import type { JournalRecord } from '../records/journal.ts'

export const isBegun = ({ event, from, to }: Pick<JournalRecord, 'event' | 'from' | 'to'>): boolean =>
  event.type === 'execution.requested' && from === 'idle' && to !== from
