/**
 * Notes tell what a WebDriver session or an attempt of a flow has to undo on a phone. The journal has each before the phone is
 * changed, so that another process can undo it when the one that changed the phone has died.
 */
import { UNDO_OPEN } from '../../contracts/records/journal.ts'
import { createLogWriter } from '../../runtime/append-record.ts'
import type { Clock } from '../../runtime/clock.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal } from '../../runtime/journal/journal.ts'

/** The journal's column `machine` of these records; the open notes of a device are the body of the newest one. */
const UNDO_MACHINE = 'undo'
const NOTES_MAX = 1_000

export type UndoWork =
  /** svc changed these settings: `restore_settings` puts them back. */
  | { readonly kind: 'settings'; readonly settings: readonly string[] }
  /** The id is known once the phone records; until then it is the one that began at this time or later. */
  | { readonly kind: 'recording'; readonly since: number; readonly recordingId?: string }
  | {
      readonly kind: 'forward' | 'reverse'
      readonly local: string
      readonly remote: string
      /** For a listening end `tcp:0`, until its port is known: the listening ends that led to the same target before. */
      readonly others?: readonly string[]
    }

export interface UndoOwner {
  /** The id of the session, or of the attempt of a flow. */
  readonly id: string
  /** The actor of the session or of the run: a process owns it as long as it goes on. */
  readonly actor: string
}

export interface UndoNote {
  readonly deviceId: string
  readonly owner: UndoOwner
  readonly work: UndoWork
}

export interface UndoNotes {
  /** Resolves once the disk has it. Rejects with JournalError; then the phone must not be changed. */
  remember(note: UndoNote): Promise<void>
  /** It was undone, or never came to be. Rejects with JournalError. */
  settled(note: UndoNote): Promise<void>
  /** The same work, with more known of it. Rejects with JournalError. */
  replaced(note: UndoNote, work: UndoWork): Promise<UndoNote>
  /** Oldest first. Throws JournalError. */
  of(deviceId: string, ownerId: string): readonly UndoNote[]
  /** The notes whose owner is over, or whose process has died. Throws JournalError. */
  left(): readonly UndoNote[]
}

const actorOf = (deviceId: string) => `${UNDO_MACHINE}:${deviceId}`

const isSame = (one: UndoNote, other: UndoNote): boolean =>
  one.owner.id === other.owner.id && JSON.stringify(one.work) === JSON.stringify(other.work)

export const createUndoNotes = ({
  journal,
  clock,
}: {
  journal: Pick<Journal, 'append' | 'last' | 'body' | 'saveCheckpoint' | 'synced' | 'withTag' | 'leases'>
  clock: Clock
}): UndoNotes => {
  const log = createLogWriter({ journal, clock })

  const notesOf = (last: ReturnType<Journal['last']>): readonly UndoNote[] =>
    last === undefined || last.digest === null ? [] : ((journal.body(last) as UndoNote[] | undefined) ?? [])

  const write = async (
    type: string,
    { deviceId, owner, work }: UndoNote,
    next: (notes: readonly UndoNote[]) => readonly UndoNote[],
  ) => {
    await log.append({
      actor: actorOf(deviceId),
      machine: UNDO_MACHINE,
      state: 'known',
      event: { type, owner: owner.id, work: work.kind },
      upon(last) {
        const body = next(notesOf(last))
        if (body.length > NOTES_MAX)
          throw new JournalError('busy', `${NOTES_MAX} changes of ${deviceId} wait to be undone`)
        return { body, tags: body.length === 0 ? [] : [UNDO_OPEN] }
      },
    })
    await journal.synced()
  }

  const without = (note: UndoNote) => (notes: readonly UndoNote[]) => notes.filter(each => !isSame(each, note))

  return {
    remember: note => write('undo.noted', note, notes => [...without(note)(notes), note]),
    settled: note => write('undo.settled', note, without(note)),
    async replaced(note, work) {
      const next = { ...note, work }
      await write('undo.noted', next, notes => [...without(note)(notes), next])
      return next
    },
    of: (deviceId, ownerId) => notesOf(journal.last(actorOf(deviceId))).filter(({ owner }) => owner.id === ownerId),
    left: () =>
      journal
        .withTag(UNDO_OPEN)
        .flatMap(({ actor }) => notesOf(journal.last(actor)))
        .filter(({ owner }) => journal.leases.owner(owner.actor) === undefined),
  }
}
