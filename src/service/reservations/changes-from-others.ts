/** Extending and ending what another process keeps: a request on record, which the keeper hears. */
import type { JournalRecord, StoredEvent } from '../../contracts/records/journal.ts'
import { createLogWriter } from '../../runtime/append-record.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Journal } from '../../runtime/journal/journal.ts'

/** Not a machine: records that somebody wants the reservation to be changed. */
const MACHINE = 'reservation-change'
const actorOf = (leaseId: string) => `${MACHINE}:${leaseId}`

/** Rejects with JournalError. */
export const requestOfKeeper = async (
  leaseId: string,
  change: StoredEvent,
  { journal, clock }: { journal: Journal; clock: Clock },
): Promise<void> => {
  await createLogWriter({ journal, clock }).append({
    actor: actorOf(leaseId),
    machine: MACHINE,
    state: 'requested',
    event: { type: 'change.wanted', leaseId, change },
  })
}

/** The change that a record wants of the reservation; undefined for any other record. */
export const changeWanted = (record: JournalRecord | undefined, leaseId: string): StoredEvent | undefined =>
  record?.actor === actorOf(leaseId) ? (record.event.change as StoredEvent) : undefined

export const newestChange = (journal: Pick<Journal, 'last'>, leaseId: string): StoredEvent | undefined =>
  changeWanted(journal.last(actorOf(leaseId)), leaseId)
