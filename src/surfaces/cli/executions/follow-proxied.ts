/** `--verbose` of a command that the daemon runs: its transitions are read from the journal, which all processes share. */

import { isBegun } from '../../../contracts/executions/begun-execution.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { toTransition } from '../../../runtime/transitions.ts'
import type { CommandContext } from '../command.ts'
import { placeLine, transitionLine } from '../journal/transition-line.ts'

const isBeginOf = ({ machine, event }: JournalRecord, commandId: unknown): boolean =>
  machine === 'device' &&
  (event.type === 'execution.requested' || event.type === 'execution.queued') &&
  event.commandId === commandId

const PLACES_CHANGE = ['execution.queued', 'execution.left', 'execution.requested']

/** Shows transitions until the returned function is called. The command runs even where the journal cannot be read. */
export const followProxied = async (commandId: unknown, call: CommandContext): Promise<() => void> => {
  const { io, log } = call
  try {
    const services = await call.services()
    const journal = services.journalToRead()
    let shownSeq = journal.head()
    let actor: string | undefined
    let isOver = false
    let lastPlace: number | undefined
    const tellPlace = async (executionId: string) => {
      const found = await (await services.service())['executions.get']({ executionId }, { context: { caller: 'cli' } })
      const { place, deviceId = '' } = found.ok ? found.value.execution : {}
      if (isOver || place === undefined || place === lastPlace) return
      lastPlace = place
      io.note(placeLine(executionId, deviceId, place))
    }
    let waiting: string | undefined
    const follow = (record: JournalRecord) => {
      const { type, executionId, commandId: of } = record.event
      if (of === commandId && type === 'execution.queued') waiting = String(executionId)
      if (of === commandId && isBegun(record)) waiting = undefined
      // Without it the transitions still say what becomes of the execution.
      if (waiting !== undefined && PLACES_CHANGE.includes(type)) tellPlace(waiting).catch(() => {})
    }
    const show = (records: readonly JournalRecord[]) => {
      for (const record of records) {
        if (record.seq <= shownSeq) continue
        if (isBeginOf(record, commandId)) actor ??= record.actor
        if (record.actor === actor) {
          io.note(transitionLine(toTransition(record)))
          follow(record)
        }
        shownSeq = record.seq
      }
    }
    const subscription = journal.subscribe(show, { after: shownSeq })
    return () => {
      isOver = true
      subscription.close()
      show(journal.records({ after: shownSeq }))
    }
  } catch (error) {
    log.warn(`Transitions cannot be shown: ${messageOf(error)}`)
    return () => {}
  }
}
