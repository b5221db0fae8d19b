/** `--verbose` of a command that the daemon runs: its transitions are read from the journal, which all processes share. */

import type { JournalRecord } from '../contracts/journal.ts'
import { messageOf } from '../runtime/message-of.ts'
import { toTransition } from '../runtime/transitions.ts'
import type { Call } from './command.ts'
import { transitionLine } from './transition-line.ts'

const isBeginOf = ({ machine, event }: JournalRecord, commandId: unknown): boolean =>
  machine === 'device' && event.type === 'execution.requested' && event.commandId === commandId

/** Shows transitions until the returned function is called. The command runs even where the journal cannot be read. */
export const followProxied = async (commandId: unknown, call: Call): Promise<() => void> => {
  const { io, log } = call
  try {
    const journal = (await call.services()).journalToRead()
    let shown = journal.head()
    let actor: string | undefined
    const show = (records: readonly JournalRecord[]) => {
      for (const record of records) {
        if (record.seq <= shown) continue
        if (isBeginOf(record, commandId)) actor ??= record.actor
        if (record.actor === actor) io.note(transitionLine(toTransition(record)))
        shown = record.seq
      }
    }
    const subscription = journal.subscribe(show, { after: shown })
    return () => {
      subscription.close()
      show(journal.records({ after: shown }))
    }
  } catch (error) {
    log.warn(`Transitions cannot be shown: ${messageOf(error)}`)
    return () => {}
  }
}
