/** The outcomes of this listener's executions: in the journal first, then told to whoever listens, once, also after a crash. */
import type { ServerResponse } from 'node:http'
import type { ExecutionResult } from '../contracts/execution-result.ts'
import type { JournalRecord } from '../contracts/journal.ts'
import type { Ids } from '../runtime/ids.ts'
import type { ProcessIdentity } from '../runtime/processes.ts'
import type { HttpDeps } from './deps.ts'
import { createHub, type Hub } from './hub.ts'
import { recordsAfter } from './journal-pages.ts'
import { type Appended, createListenerStream, LISTENER_MACHINE } from './listener-stream.ts'
import { executionFrame, heartbeatFrame, type OutcomeText, outcomeFrames, type Position } from './outcome-events.ts'
import { type ResultText, resultText } from './result-text.ts'
import type { Entry } from './stream-source.ts'
import { described } from './thrown.ts'

export interface OutcomesOptions {
  deps: HttpDeps
  ids: Ids
  self: ProcessIdentity
  alive: (process: ProcessIdentity) => boolean
}

/** An execution that this listener took on and has not told the outcome of. */
export interface Taken {
  /** Under which it is accepted, if it is. */
  executionId: string
  /** Its position in the listener's stream; none when the journal would not take it. */
  n: number | undefined
}

export interface Told {
  deviceId: string
  executionId?: string | undefined
  /** What the caller sent, valid or not. */
  input: unknown
  result: ExecutionResult
  text: ResultText
}

export interface Outcomes {
  /** Call before the execution is handed on: if this process dies, another one tells what became of it. */
  take(input: unknown): Taken
  /** Never throws: the caller's answer does not depend on it. */
  tell(told: Told, taken?: Taken): void
  /** Nothing will be told of it: no device is known, or it was told before. Never throws. */
  drop(taken: Taken): void
  subscribe(outgoing: ServerResponse, position: Position | undefined, onEnd: () => void): ReturnType<Hub['subscribe']>
}

const TAKEN = 'execution.taken'
const TOLD = 'outcome.recorded'
const DROPPED = 'execution.dropped'

/** The result of an accepted success is in its receipt, and kept once. */
interface OutcomeBody {
  input: unknown
  result?: ExecutionResult
}

/** Who took an execution on, and under which id. */
interface Debt {
  executionId: string
  owner: ProcessIdentity
}

interface Snapshot {
  open: [n: number, debt: Debt][]
}

export const createOutcomes = ({ deps, ids, self, alive }: OutcomesOptions): Outcomes => {
  const { journal, clock, executions, listener, note } = deps
  /** By position in the stream: taken on by whichever process, and not told. */
  const open = new Map<number, Debt>()
  let hasBegun = false

  const stream = createListenerStream({
    journal,
    clock,
    listener,
    onCheckpoint: kept => {
      for (const [n, debt] of (kept as Snapshot).open) open.set(n, debt)
    },
    onRecord: ({ n, event }) => {
      if (event.type !== TAKEN) open.delete(Number(event.taken))
      else open.set(n, { executionId: String(event.executionId), owner: event.owner as ProcessIdentity })
    },
  })

  const bodyOf = ({ digest }: JournalRecord): OutcomeBody | undefined =>
    digest === null ? undefined : (journal.body(digest) as OutcomeBody | undefined)

  const textOf = (record: JournalRecord): OutcomeText | undefined => {
    const { event } = record
    const body = event.type === TOLD ? bodyOf(record) : undefined
    const result = body?.result ?? (body && journal.receipt(String(event.executionId))?.result)
    // Retention takes receipts too; what is left of such an outcome tells nothing.
    if (!body || !result) return undefined
    return { deviceId: String(event.deviceId), input: JSON.stringify(body.input), result: resultText(result) }
  }

  const entryOf = (seq: number, text: OutcomeText | undefined): Entry => {
    const frames = text ? outcomeFrames(seq, text) : { events: 0 }
    return { seq, actor: listener, machine: LISTENER_MACHINE, ...frames }
  }

  function* entriesAfter(seq: number): Generator<Entry> {
    for (const record of recordsAfter(journal, seq, { actor: listener })) yield entryOf(record.seq, textOf(record))
  }

  const hub = createHub({ clock, note, source: { head: journal.head, after: entriesAfter } })

  const attempt = (what: string, work: () => void): boolean => {
    try {
      work()
      return true
    } catch (error) {
      note(`${what}: ${described(error)}`)
      return false
    }
  }

  const append = (...record: Parameters<typeof stream.append>): Appended => {
    const appended = stream.append(...record)
    if (!appended.follows) hub.reread()
    return appended
  }

  const record = ({ deviceId, executionId, input, result, text }: Told, n: number | undefined) => {
    const event = {
      type: TOLD,
      deviceId,
      ...(executionId === undefined ? {} : { executionId }),
      ...(n === undefined ? {} : { taken: n }),
    }
    const body: OutcomeBody = result.ok && executionId !== undefined ? { input } : { input, result }
    const appended = append(event, body)
    if (!appended.follows || hub.size() === 0) return
    hub.publish(entryOf(appended.record.seq, { deviceId, input: JSON.stringify(input), result: text }))
  }

  const close = (n: number | undefined) => {
    if (n !== undefined) open.delete(n)
    attempt('no checkpoint of the outcomes', () => stream.checkpointIfDue((): Snapshot => ({ open: [...open] })))
  }

  const tell = (told: Told, taken?: Taken) => {
    const { deviceId, input, text: result } = told
    const isRecorded = attempt('an outcome was not recorded', () => record(told, taken?.n))
    if (!isRecorded && hub.size() > 0) {
      hub.broadcast(outcomeFrames(undefined, { deviceId, input: JSON.stringify(input), result }).chunk)
    }
    close(taken?.n)
  }

  const drop = ({ n }: Taken) => {
    if (n !== undefined) attempt('an outcome was not recorded', () => append({ type: DROPPED, taken: n }))
    close(n)
  }

  /** Tells what became of an execution whose process died. */
  const settle = (n: number, { executionId, owner }: Debt) => {
    if (alive(owner)) return
    const receipt = executions.receipt(executionId)
    // It was never accepted: there is nothing to tell.
    if (!receipt?.result) return drop({ executionId, n })
    const { deviceId, result } = receipt
    const [taken] = journal.records({ actor: listener, fromN: n, limit: 1 })
    const input = taken?.n === n ? bodyOf(taken)?.input : undefined
    tell({ deviceId, executionId, input: input ?? null, result, text: resultText(result) }, { executionId, n })
  }

  /** Not before the first caller is there: a server that finds its port taken must not touch the stream of who has it. */
  const begin = () => {
    if (hasBegun) return
    hasBegun = true
    attempt('the outcomes of an earlier process were not read', () => {
      stream.open()
      for (const [n, debt] of [...open]) settle(n, debt)
    })
  }

  return {
    take(input) {
      begin()
      const taken: Taken = { executionId: ids.at(clock.now()), n: undefined }
      attempt('an execution was not noted beforehand', () => {
        const { executionId } = taken
        taken.n = append({ type: TAKEN, executionId, owner: self }, { input }).record.n
        open.set(taken.n, { executionId, owner: self })
      })
      return taken
    },
    tell(told, taken) {
      begin()
      tell(told, taken)
    },
    drop,
    subscribe(outgoing, position, onEnd) {
      begin()
      const head = journal.head()
      const from = position && position.seq <= head ? position : { seq: head, isWhole: true }
      const [record] = from.isWhole ? [] : journal.records({ actor: listener, after: from.seq - 1, limit: 1 })
      const half = record?.seq === from.seq ? textOf(record) : undefined
      const opening = heartbeatFrame(from) + (half ? executionFrame(from.seq, half) : '')
      return hub.subscribe({ outgoing, after: from.seq, opening, onEnd })
    },
  }
}
