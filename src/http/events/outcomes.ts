/** Section Events: what came of the executions of this listener, from the records that ended them, live and after a restart. */
import type { ServerResponse } from 'node:http'
import type { JournalRecord } from '../../contracts/journal.ts'
import { describeError } from '../../executions/error-of.ts'
import { createLogWriter } from '../../runtime/append-record.ts'
import { recordsAfter } from '../../runtime/journal/reading.ts'
import type { HttpDeps } from '../deps.ts'
import { resultText } from '../result-text.ts'
import { createHub, type Hub } from './hub.ts'
import { executionFrame, heartbeatFrame, idOf, idsOf, outcomeFrames, type Position } from './outcome-frames.ts'
import { LISTENER_MACHINE, outcomeTextOf, type Refused } from './outcome-text.ts'
import type { Entry } from './ring.ts'

export interface Outcomes {
  /** Never throws: the caller's answer does not depend on it. */
  refuse(refused: Refused): void
  subscribe(outgoing: ServerResponse, position: Position | undefined, onEnd: () => void): ReturnType<Hub['subscribe']>
}

const REFUSED = 'execution.refused'

/** `more` are streams that also tell what the journal would not take. */
export const createOutcomes = (
  { journal, clock, listener, note }: HttpDeps,
  more: readonly Pick<Hub, 'size' | 'broadcast'>[] = [],
): Outcomes => {
  const log = createLogWriter({ journal, clock })
  const entryOf = (record: JournalRecord): Entry => {
    const { seq, actor, machine } = record
    const text = outcomeTextOf(journal, record)
    return { seq, actor, machine, ...(text ? outcomeFrames(idsOf(seq), text) : { events: 0 }) }
  }

  function* entriesAfter(seq: number): Generator<Entry> {
    for (const record of recordsAfter(journal, seq, { listener })) yield entryOf(record)
  }

  const startWatching = () => {
    const watch = journal.subscribe(records => {
      for (const record of records) if (record.outcome?.listener === listener) hub.publish(entryOf(record))
    })
    return () => watch.close()
  }
  const hub = createHub({ clock, note, source: { head: journal.head, after: entriesAfter, startWatching } })

  const recordRefusal = ({ deviceId, input, result }: Refused) =>
    log.append({
      actor: listener,
      machine: LISTENER_MACHINE,
      state: 'listening',
      event: { type: REFUSED, deviceId },
      body: { input, result },
      outcome: { listener },
    })

  const tellOnce = ({ deviceId, input, result }: Refused) => {
    const listening = [hub, ...more].filter(({ size }) => size() > 0)
    if (listening.length === 0) return
    const text = { deviceId, input: JSON.stringify(input), result: resultText(result) }
    const { chunk } = outcomeFrames(undefined, text)
    for (const { broadcast } of listening) broadcast(chunk)
  }

  return {
    refuse(refused) {
      // More than may wait for the journal are told to those who listen now and kept nowhere.
      if (log.isFull(listener)) return tellOnce(refused)
      recordRefusal(refused).catch((error: unknown) => {
        note(`a refused execution was not recorded: ${describeError(error)}`)
        tellOnce(refused)
      })
    },
    subscribe(outgoing, position, onEnd) {
      const head = journal.head()
      const from = position && position.seq <= head ? position : { seq: head, isWhole: true }
      const [record] = from.isWhole ? [] : journal.records({ listener, after: from.seq - 1, limit: 1 })
      const half = record?.seq === from.seq ? outcomeTextOf(journal, record) : undefined
      const opening = heartbeatFrame(idOf(from)) + (half ? executionFrame(idsOf(from.seq), half) : '')
      return hub.subscribe({ outgoing, after: from.seq, opening, onEnd })
    },
  }
}
