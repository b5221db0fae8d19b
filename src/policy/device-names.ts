/** Every name by which a rule may know a device: its serials, and both at their host when this machine is in a fleet. */
import type { Journal } from '../runtime/journal/journal.ts'

const MEMBERSHIP = 'membership:fleet'
const LOOK_BACK = 64

/** The name of this machine in its fleet, also for processes that are not the member, and after the member has gone. */
export const recordedHost = (journal: Pick<Journal, 'last' | 'leases' | 'records'>): string | undefined => {
  const newest = journal.last(MEMBERSHIP)
  if (!newest) return undefined
  const held = journal.leases.read(MEMBERSHIP)?.note.host
  if (typeof held === 'string') return held
  const joined = journal
    .records({ actor: MEMBERSHIP, fromN: Math.max(0, newest.n - LOOK_BACK), limit: LOOK_BACK + 1 })
    .findLast(({ event }) => event.type === 'join.requested')
  const host = joined?.event.host
  return typeof host === 'string' ? host : undefined
}

export type NamesOf = (serials: readonly string[]) => readonly string[]

export const createNamesOf =
  (journal: Pick<Journal, 'last' | 'leases' | 'records'>): NamesOf =>
  serials => {
    const names = [...new Set(serials)]
    const host = recordedHost(journal)
    return host === undefined ? names : [...names, ...names.map(serial => `${serial}@${host}`)]
  }
