/** Settles what earlier processes have left: executions, runs, emulators and recordings. */

import type { Host } from '../runtime/host.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import { messageOf } from '../runtime/message-of.ts'
import type { Emulators } from '../service/emulators/emulators.ts'
import type { Executions } from '../service/executions/service.ts'
import type { Recordings } from '../service/recordings/recordings.ts'
import type { Undo } from '../service/undo-left.ts'

export interface RecoveryParts {
  host: () => Host
  emulators(): Emulators
  recordings(): Recordings
  undo(): Pick<Undo, 'undoLeft'>
  executions(): Pick<Executions, 'learner'>
  /** A line for a person. */
  note(text: string): void
}

/** A server calls this again and again. If the journal refuses now, the next event for that actor settles it. */
export const createRecovery = ({
  host,
  emulators,
  recordings,
  undo,
  executions,
  note,
}: RecoveryParts): (() => Promise<void>) => {
  let unsettled: string | undefined

  /** In the background: it waits for emulators that still boot. One that is at it already is asked only once. */
  const repair = async () => {
    try {
      for (const line of await emulators().repair({ resume: true })) note(line)
    } catch (error) {
      note(`what earlier processes left of emulators could not be looked at: ${messageOf(error)}`)
    }
  }

  /** In the background: it waits for the phone. */
  const repairRecordings = async () => {
    try {
      for (const line of await recordings().repair()) note(line)
    } catch (error) {
      note(`what earlier processes left of recordings could not be looked at: ${messageOf(error)}`)
    }
  }

  /** In the background: it waits for the phone. */
  const undoLeft = async () => {
    try {
      await undo().undoLeft()
    } catch (error) {
      note(`what sessions and flows of earlier processes left cannot be undone: ${messageOf(error)}`)
    }
  }

  /** In the background: it asks the phones. */
  const learn = async () => {
    try {
      await executions().learner.sweep()
    } catch (error) {
      note(`executions in doubt cannot be asked for: ${messageOf(error)}`)
    }
  }

  let isFirst = true
  return async () => {
    try {
      const recovered = await host().recover()
      const avds = recovered.filter(actor => actor.startsWith('emulator:'))
      for (const actor of avds) note(`${actor}: a process ended in the middle of a change; what it left is looked at`)
      if (isFirst || avds.length > 0) void repair()
      if (isFirst || recovered.some(actor => actor.startsWith('recording:'))) void repairRecordings()
      isFirst = false
      void undoLeft()
      void learn()
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
      // The sweep comes again every few seconds, and the reason stays.
      if (error.message !== unsettled)
        note(`executions left in flight by earlier processes could not be settled: ${error.message}`)
      unsettled = error.message
    }
  }
}
