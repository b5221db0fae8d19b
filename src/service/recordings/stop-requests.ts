/** Stopping what another process records: a request on record, which the owner looks for. */
import { createLogWriter } from '../../runtime/append-record.ts'
import type { Clock } from '../../runtime/clock.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal } from '../../runtime/journal/journal.ts'

/** Not a machine: a record that somebody wants the recording to end. */
const MACHINE = 'recording-stop'
const actorOf = (recordingId: string) => `${MACHINE}:${recordingId}`

/** Rejects with JournalError. Asking twice is asking once. */
export const requestStop = async (
  { recordingId, requestId }: { recordingId: string; requestId: string },
  { journal, clock }: { journal: Journal; clock: Clock },
): Promise<void> => {
  await createLogWriter({ journal, clock }).append({
    actor: actorOf(recordingId),
    machine: MACHINE,
    state: 'requested',
    event: { type: 'stop.wanted', recordingId, requestId },
    isSaidBy: () => true,
  })
}

/** The request to stop; undefined where there is none, or the journal cannot be read. */
export const isStopWanted = (journal: Pick<Journal, 'last'>, recordingId: string): string | undefined => {
  try {
    const wanted = journal.last(actorOf(recordingId))?.event.requestId
    return typeof wanted === 'string' ? wanted : undefined
  } catch (error) {
    if (error instanceof JournalError) return undefined
    throw error
  }
}
