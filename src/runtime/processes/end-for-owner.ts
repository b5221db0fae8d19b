/** Ends the work of an actor in the place of an owner that should have done so, and is alive but does not act. */
import type { AnyMachineSnapshot } from 'xstate'
import { type Definition, IN_FLIGHT } from '../../../machines/definition.ts'
import type { Ownership, StoredEvent } from '../../contracts/records/journal.ts'
import type { Clock } from '../clock.ts'
import { foldActor, foldEvent, stepRecord } from '../fold.ts'
import { JournalError, type JournalFault } from '../journal/fault.ts'
import type { Journal } from '../journal/journal.ts'

interface EndForOwnerOptions {
  definition: Definition
  journal: Journal
  clock: Pick<Clock, 'now'>
}

export interface OverdueEnd {
  /** The grant of the owner. */
  lease: Pick<Ownership, 'key' | 'fence'>
  event: StoredEvent
  /** Judges the newest state on record. */
  isDue(snapshot: AnyMachineSnapshot): boolean
}

/** The owner, or another process, was quicker. */
const OUTRUN: ReadonlySet<JournalFault> = new Set(['behind', 'fenced'])

/**
 * Records the event and frees the lease of the owner in one write. The position in the history decides between it and
 * what the owner records when it acts again. False where nothing was to be ended. Rejects with JournalError.
 */
export const endForOwner = async (
  { id, machine }: { id: string; machine: string },
  { lease, event, isDue }: OverdueEnd,
  { definition, journal, clock }: EndForOwnerOptions,
): Promise<boolean> => {
  const { snapshot: before, n, version } = foldActor(definition, journal, id)
  // Events of a newer build: only that one can judge the state.
  if (version > definition.version) return false
  // Its work has ended, and the journal did not take the lease back then.
  if (before && !before.hasTag(IN_FLIGHT)) return journal.leases.release(lease)
  if (!before || !isDue(before)) return false
  const stamped = { ...event, at: clock.now() }
  const after = foldEvent(definition, before, stamped)
  if (!after || after.hasTag(IN_FLIGHT)) return false
  try {
    await journal.append(stepRecord({ id, machine, definition }, n, { before, event: stamped, after }), {
      lease,
      release: true,
    })
    return true
  } catch (error) {
    if (error instanceof JournalError && OUTRUN.has(error.reason)) return false
    throw error
  }
}
