/** Section Events: what came of the executions of this listener, from the records that ended them, live and after a restart. */
import type { ServerResponse } from 'node:http'
import { EVENT_NAMES } from '../../../contracts/doors/sse.ts'
import type { GapData } from '../../../contracts/fleet-log.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { createLogWriter } from '../../../runtime/append-record.ts'
import { isLost } from '../../../runtime/journal/loss.ts'
import { readableOr, recordsAfter } from '../../../runtime/journal/reading.ts'
import { eachRecord } from '../../../runtime/transitions.ts'
import { describeError } from '../../../service/executions/to-error.ts'
import type { Parts, RefusedExecution } from '../../../service/parts.ts'
import { resultText } from '../answer.ts'
import { createHub, type Hub } from './hub.ts'
import { executionFrame, heartbeatFrame, idOf, idsOf, outcomeFrames, type Position } from './outcome-frames.ts'
import { LISTENER_MACHINE, outcomeTextOf } from './outcome-text.ts'
import { createRefusalCount } from './refusal-count.ts'
import type { Entry } from './ring.ts'
import { frame } from './sse.ts'

export interface Outcomes {
  /** Never throws: the caller's answer does not depend on it. */
  refuse(refused: RefusedExecution): void
  subscribe(outgoing: ServerResponse, position: Position | undefined, onEnd: () => void): ReturnType<Hub['subscribe']>
}

const REFUSED = 'execution.refused'

const DAMAGED = Symbol('damaged')

/** In the place of an outcome that cannot be read: readers of the others go on. */
const gapFrame = ({ seq, event }: JournalRecord): Pick<Entry, 'chunk' | 'events' | 'isForAll'> => {
  const from = isLost({ event }) ? Number(event.from) : seq
  const to = isLost({ event }) ? Number(event.to) : seq
  const gap: GapData = { reason: 'records-missing', from, to }
  const chunk = Buffer.from(frame(idOf({ seq, isWhole: true }), EVENT_NAMES.gap, JSON.stringify(gap)))
  return { chunk, events: 1, isForAll: true }
}

/** `more` are streams that also tell what the journal would not take. */
export const createOutcomes = (
  { journal: opened, clock, listener, note }: Pick<Parts, 'journal' | 'clock' | 'note'> & { listener: string },
  more: readonly Pick<Hub, 'size' | 'broadcast'>[] = [],
): Outcomes => {
  const journal = opened()
  const log = createLogWriter({ journal, clock })
  const entryOf = (record: JournalRecord): Entry => {
    const { seq, actor, machine } = record
    const text = isLost(record) ? DAMAGED : readableOr(DAMAGED, () => outcomeTextOf(journal, record))
    if (text === DAMAGED) return { seq, actor, machine, ...gapFrame(record) }
    return { seq, actor, machine, ...(text ? outcomeFrames(idsOf(seq), text) : { events: 0 }) }
  }

  function* entriesAfter(seq: number): Generator<Entry> {
    for (const record of recordsAfter(journal, seq, { listener })) yield entryOf(record)
  }

  const startWatching = () => {
    const watch = journal.subscribe(
      eachRecord(record => {
        if (record.outcome?.listener === listener || isLost(record)) hub.publish(entryOf(record))
      }),
    )
    return () => watch.close()
  }
  const hub = createHub({ clock, note, source: { head: journal.head, after: entriesAfter, startWatching } })

  const recordRefusal = ({ deviceId, input, result }: RefusedExecution) =>
    log.append({
      actor: listener,
      machine: LISTENER_MACHINE,
      state: 'listening',
      event: { type: REFUSED, deviceId },
      body: { input, result },
      outcome: { listener },
    })

  const tellOnce = ({ deviceId, input, result }: RefusedExecution) => {
    const listening = [hub, ...more].filter(({ size }) => size() > 0)
    if (listening.length === 0) return
    const text = { deviceId, input: JSON.stringify(input), result: resultText(result) }
    const { chunk } = outcomeFrames(undefined, text)
    for (const { broadcast } of listening) broadcast(chunk)
  }

  const keep = (refused: RefusedExecution) => {
    // More than may wait for the journal are told to those who listen now and kept nowhere.
    if (log.isFull(listener)) return tellOnce(refused)
    recordRefusal(refused).catch((error: unknown) => {
      note(`a refused execution was not recorded: ${describeError(error)}`)
      tellOnce(refused)
    })
  }
  const repeated = createRefusalCount(clock, keep)

  return {
    refuse: refused => (repeated.isRecorded(refused) ? keep(refused) : tellOnce(refused)),
    subscribe(outgoing, position, onEnd) {
      const head = journal.head()
      const from = position && position.seq <= head ? position : { seq: head, isWhole: true }
      const query = { listener, after: from.seq - 1, limit: 1, passesDamage: true }
      const [record] = from.isWhole ? [] : journal.records(query)
      const isHalf = record?.seq === from.seq && !isLost(record)
      const half = isHalf ? readableOr(undefined, () => outcomeTextOf(journal, record)) : undefined
      const opening = heartbeatFrame(idOf(from)) + (half ? executionFrame(idsOf(from.seq), half) : '')
      return hub.subscribe({ outgoing, after: from.seq, opening, onEnd })
    },
  }
}
