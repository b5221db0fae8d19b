/** Section Events: what came of the executions of this listener, from the records that ended them, live and after a restart. */
import type { ServerResponse } from 'node:http'
import type { ExecutionResult } from '../../contracts/execution-result.ts'
import type { JournalRecord } from '../../contracts/journal.ts'
import { CHECKPOINT_RECORDS } from '../../contracts/limits.ts'
import { describeError } from '../../executions/error-of.ts'
import type { OperatorJob } from '../../operator/job.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import { recordsAfter } from '../../runtime/journal/reading.ts'
import type { HttpDeps } from '../deps.ts'
import { resultText, withExecutionId } from '../result-text.ts'
import { createHub, type Hub } from './hub.ts'
import { executionFrame, heartbeatFrame, type OutcomeText, outcomeFrames, type Position } from './outcome-frames.ts'
import type { Entry } from './ring.ts'

/** An execution that no device actor took: it was not valid, its device was busy elsewhere, or there was none. */
export interface Refused {
  deviceId: string
  /** What the caller sent. */
  input: unknown
  result: ExecutionResult
}

export interface Outcomes {
  /** Never throws: the caller's answer does not depend on it. */
  refuse(refused: Refused): void
  subscribe(outgoing: ServerResponse, position: Position | undefined, onEnd: () => void): ReturnType<Hub['subscribe']>
}

/** What stands in the journal's column `machine` for refused executions; there is no chart of it, for it has one state. */
export const LISTENER_MACHINE = 'listener'
const REFUSED = 'execution.refused'
/** Another process writes to the same stream only while an address changes hands. */
const ATTEMPTS = 5
/** How many refusals may wait for the journal; more are told to those who listen now and kept nowhere. */
const WAITING_MAX = 1_000
/** How many records of a device may lie between the request for an execution and its end: refused requests, segments. */
const LOOK_BACK = [8, 512]

export const createOutcomes = ({ journal, clock, listener, note }: HttpDeps): Outcomes => {
  /** What the caller sent: the body of the record that accepted the execution, for as long as retention keeps it. */
  const inputOf = ({ actor, n }: JournalRecord, executionId: string): unknown => {
    for (const back of LOOK_BACK) {
      const requested = journal
        .records({ actor, fromN: Math.max(0, n - back), limit: back })
        .find(({ event }) => event.type === 'execution.requested' && event.executionId === executionId)
      if (!requested) continue
      const job = journal.body(requested)
      const { input, execution } = (job ?? {}) as Partial<OperatorJob> & { input?: unknown }
      return input ?? execution ?? null
    }
    return null
  }

  const textOf = (record: JournalRecord): OutcomeText | undefined => {
    if (record.machine === LISTENER_MACHINE) {
      const body = journal.body(record)
      if (!body) return undefined
      const { input, result } = body as Pick<Refused, 'input' | 'result'>
      return { deviceId: String(record.event.deviceId), input: JSON.stringify(input), result: resultText(result) }
    }
    const receipt = journal.receipt(record.outcome?.executionId ?? '')
    // Retention takes receipts too; what is left of such an outcome tells nothing.
    if (!receipt?.result) return undefined
    const { executionId, deviceId, result } = receipt
    return {
      deviceId,
      input: JSON.stringify(inputOf(record, executionId)),
      result: resultText(withExecutionId(result, executionId)),
    }
  }

  const entryOf = (record: JournalRecord): Entry => {
    const { seq, actor, machine } = record
    const text = textOf(record)
    return { seq, actor, machine, ...(text ? outcomeFrames(seq, text) : { events: 0 }) }
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

  const recordRefusal = async ({ deviceId, input, result }: Refused, attempt = 1): Promise<void> => {
    const n = (journal.last(listener)?.n ?? -1) + 1
    const at = clock.now()
    const event = { type: REFUSED, deviceId, at }
    const place = { actor: listener, n, machine: LISTENER_MACHINE, version: 1, at, from: 'listening', to: 'listening' }
    try {
      const { seq } = await journal.append({
        ...place,
        event,
        body: { input, result },
        tags: [],
        outcome: { listener },
      })
      // Retention takes only what a checkpoint covers.
      if (n % CHECKPOINT_RECORDS === 0)
        await journal.saveCheckpoint({ actor: listener, n, seq, version: 1, snapshot: {} })
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof JournalError && error.reason === 'behind')) throw error
      await recordRefusal({ deviceId, input, result }, attempt + 1)
    }
  }

  const tellOnce = ({ deviceId, input, result }: Refused) => {
    if (hub.size() === 0) return
    const text = { deviceId, input: JSON.stringify(input), result: resultText(result) }
    hub.broadcast(outcomeFrames(undefined, text).chunk)
  }

  let waiting = 0
  let line: Promise<unknown> = Promise.resolve()

  return {
    refuse(refused) {
      if (waiting >= WAITING_MAX) return tellOnce(refused)
      waiting += 1
      line = line
        .then(() => recordRefusal(refused))
        .catch((error: unknown) => {
          note(`a refused execution was not recorded: ${describeError(error)}`)
          tellOnce(refused)
        })
        .finally(() => {
          waiting -= 1
        })
    },
    subscribe(outgoing, position, onEnd) {
      const head = journal.head()
      const from = position && position.seq <= head ? position : { seq: head, isWhole: true }
      const [record] = from.isWhole ? [] : journal.records({ listener, after: from.seq - 1, limit: 1 })
      const half = record?.seq === from.seq ? textOf(record) : undefined
      const opening = heartbeatFrame(from) + (half ? executionFrame(from.seq, half) : '')
      return hub.subscribe({ outgoing, after: from.seq, opening, onEnd })
    },
  }
}
