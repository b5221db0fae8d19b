/**
 * Events that any process may record while another one owns the actor: the position in the history of the actor decides
 * which of two came first, and the owner takes them in before its own next event.
 */
import type { AnyMachineSnapshot } from 'xstate'
import type { Definition } from '../../machines/definition.ts'
import type { StoredEvent } from '../contracts/records/journal.ts'
import { type Clock, pause } from './clock.ts'
import { type FoldedActor, foldActor, foldEvent, foldRecords, refuseNewerEvents, stepRecord } from './fold.ts'
import { JournalError } from './journal/fault.ts'
import type { Journal } from './journal/journal.ts'

export interface ActorFollower {
  /** The present state by the journal, whichever process owns the actor. Throws JournalError. */
  look(): FoldedActor
}

const PAGE = 250

/** Reads only what was recorded since the last look. */
export const followActor = (definition: Definition, journal: Journal, actor: string): ActorFollower => {
  let folded: FoldedActor | undefined
  const readOn = (from: FoldedActor): FoldedActor => {
    let now = from
    for (;;) {
      const records = journal.records({ actor, fromN: now.n, limit: PAGE })
      if (records.length === 0)
        // Retention may have taken the whole actor, which then has begun anew.
        return journal.last(actor)?.seq === now.seq ? now : foldActor(definition, journal, actor)
      // Retention took what lies between.
      if (records[0]?.n !== now.n) return foldActor(definition, journal, actor)
      now = foldRecords(definition, records, now)
    }
  }
  return {
    look() {
      folded = folded?.snapshot ? readOn(folded) : foldActor(definition, journal, actor)
      return folded
    },
  }
}

interface SharedOptions {
  definition: Definition
  journal: Journal
  clock: Clock
}

/** Many processes may write to the actor at once. */
const BEHIND_MS = 5_000
const PAUSE_MS = 5
/** A process that was stopped finds its time over, and others far ahead: it still gets a few tries. */
const TRIES_LEAST = 20

const isBehind = (error: unknown) => error instanceof JournalError && error.reason === 'behind'

/** Resolves to the state after it. Rejects with JournalError; then it was not recorded. */
export const recordShared = async (
  { id, machine }: { id: string; machine: string },
  event: StoredEvent & { body?: unknown },
  { definition, journal, clock }: SharedOptions,
): Promise<AnyMachineSnapshot> => {
  const follower = followActor(definition, journal, id)
  const until = clock.elapsed() + BEHIND_MS
  for (let tries = 1; ; tries++) {
    const folded = follower.look()
    refuseNewerEvents(id, definition, folded)
    const { snapshot: before, n } = folded
    // A process of an earlier version cannot take in what it does not know.
    if (!before || (journal.last(id)?.version ?? 0) < definition.version)
      throw new JournalError('fenced', `${id} is owned by a process that knows no ${event.type}`)
    const stamped = { ...event, at: clock.now() }
    const after = foldEvent(definition, before, stamped) as AnyMachineSnapshot
    const step = { before, event: stamped, after }
    try {
      await journal.append(stepRecord({ id, machine, definition }, n, step), {
        receipt: definition.receipt?.(step),
        learned: definition.learned?.(step),
      })
      return after
    } catch (error) {
      if (!isBehind(error) || (clock.elapsed() >= until && tries >= TRIES_LEAST)) throw error
      await pause(clock, PAUSE_MS)
    }
  }
}
