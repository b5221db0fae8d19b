/** The executions of one host, as its journal has them: accepted, dispatched, ended. */
import type { JournalRecord } from '../../src/contracts/records/journal.ts'
import type { Journal } from '../../src/runtime/journal/journal.ts'
import type { Dispatch } from '../../src/service/executions/dispatch.ts'
import type { Ran } from './story.ts'

type Unfinished = { -readonly [K in keyof Ran]: Ran[K] } & { dispatches: number[]; ends: string[] }

/** A resumed execution has the command of the first, and is another one. */
export const RESUMED = ' resumed'

/** Follows the records of one host in their order. */
export const ranAt = (
  host: string,
  records: readonly JournalRecord[],
  journal: Pick<Journal, 'body'>,
  phones: readonly string[],
): Ran[] => {
  const all: Unfinished[] = []
  const current = new Map<string, Unfinished>()
  for (const record of records) {
    const { actor, event, from, to, at, machine } = record
    if (machine !== 'device') continue
    if (event.type === 'execution.requested' && from === 'idle' && to !== 'idle') {
      const { phone = '', epoch, isSent = false } = (journal.body(record) ?? {}) as Partial<Dispatch>
      const ran: Unfinished = {
        host,
        executionId: String(event.executionId),
        command: `${event.commandId}${event.resumes === undefined ? '' : RESUMED}`,
        phone: phones.indexOf(phone.replace(/^device:/, '')),
        acceptedAt: at,
        epoch,
        isForwarded: isSent,
        dispatches: [],
        ends: [],
        isWithdrawn: false,
      }
      all.push(ran)
      current.set(actor, ran)
      continue
    }
    const running = current.get(actor)
    if (!running) continue
    if (event.type === 'execution.dispatched' && to !== 'idle') running.dispatches.push(at)
    if (event.dispatched === false) running.isWithdrawn = true
    if (from !== 'idle' && to === 'idle') {
      running.ends.push(event.type)
      current.delete(actor)
    }
  }
  return all
}
