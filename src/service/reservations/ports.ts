/** The ports of the reservation machine: the end of what runs on the phone, and what others want of the reservation. */

import { IN_FLIGHT } from '../../../machines/definition.ts'
import type { ClearingInput, KeeperInput } from '../../../machines/reservation/reservation-setup.ts'
import type { JournalRecord, StoredEvent } from '../../contracts/records/journal.ts'
import { createLogWriter } from '../../runtime/append-record.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { deadlinePort, type Port, type Ports } from '../../runtime/port.ts'
import { readReservation } from './read-reservation.ts'
import { createLooks } from './watch-journal.ts'

// Extending and ending what another process keeps: a request on record, which the keeper hears.

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
const changeWanted = (record: JournalRecord | undefined, leaseId: string): StoredEvent | undefined =>
  record?.actor === actorOf(leaseId) ? (record.event.change as StoredEvent) : undefined

const newestChange = (journal: Pick<Journal, 'last'>, leaseId: string): StoredEvent | undefined =>
  changeWanted(journal.last(actorOf(leaseId)), leaseId)

interface ReservationPortDeps {
  clock: Clock
  // The host is made with these ports, so both are looked up when they are needed.
  host(): Pick<Host, 'follow' | 'onStop'>
  journal(): Journal
}

/** Nothing new begins while the phone is reserved: once it is free, it stays so. */
const clearingPort =
  ({ clock, journal }: ReservationPortDeps): Port<ClearingInput> =>
  async ({ phone }, { send, left }) => {
    const looks = createLooks({ journal: journal(), clock, matters: ({ machine }) => machine === 'device' })
    left.onAbort(looks.close)
    for (;;) {
      const changed = looks.next()
      if (left.aborted) return
      if (journal().leases.owner(phone) === undefined) break
      await changed
    }
    await send({ type: 'phone.cleared' })
  }

const keeperPort =
  ({ host, journal, clock }: ReservationPortDeps): Port<KeeperInput> =>
  ({ leaseId }, { send, left, actor }) => {
    // A process that was frozen hears of an extension after the end: others were told by then that it is over.
    const isInTime = () => readReservation(leaseId, { host: host(), journal: journal(), clock })?.state !== 'expired'
    const subscription = journal().subscribe(records => {
      for (const record of records) {
        // Whoever needed the phone has ended it, by a clock that was set: its timers and its lease are of no use any more.
        if (record.actor === actor && !record.tags.includes(IN_FLIGHT)) void send({ type: 'reservation.interrupted' })
        const change = changeWanted(record, leaseId)
        if (change && isInTime()) void send(change)
      }
    })
    const stopListening = host().onStop(() => send({ type: 'host.closing' }))
    left.onAbort(() => {
      subscription.close()
      stopListening()
    })
    // A change may have been recorded before the port was there to hear it.
    const missed = newestChange(journal(), leaseId)
    if (missed && isInTime()) void send(missed)
  }

export const reservationPorts = (deps: ReservationPortDeps): { reservation: Ports } => ({
  reservation: { keeper: keeperPort(deps), clearing: clearingPort(deps), deadline: deadlinePort(deps.clock) },
})
