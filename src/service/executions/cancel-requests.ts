/** Cancelling what another process runs: a request on record, which the owner looks for while it prepares or runs. */
import type { DeviceEmitted } from '../../../machines/device/device-setup.ts'
import { createLogWriter, type LogRecord } from '../../runtime/append-record.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'

/** Not a machine: a record that somebody wants the execution to end, and one of how it ended where no other has it. */
const CANCEL_MACHINE = 'cancel'
const ENDED = 'cancel.ended'
const actorOf = (executionId: string) => `${CANCEL_MACHINE}:${executionId}`
const LOOK_MS = 200

export interface CancelRecords {
  /** Rejects with JournalError. Asking twice is asking once. */
  request(executionId: string): Promise<void>
  /** Keeps how an execution ended that was cancelled by its id before it was accepted; the first receipt stays. */
  keepEnd(receipt: StoredReceipt): Promise<void>
}

export interface CancelRecordOptions {
  journal: Journal
  clock: Clock
}

export const createCancelRecords = ({ journal, clock }: CancelRecordOptions): CancelRecords => {
  const log = createLogWriter({ journal, clock })
  const write = async (
    executionId: string,
    type: string,
    more: Pick<LogRecord, 'body' | 'isSaidBy'>,
  ): Promise<void> => {
    const event = { type, executionId }
    await log.append({ actor: actorOf(executionId), machine: CANCEL_MACHINE, state: 'requested', event, ...more })
    // A cancellation that a power failure takes back would let a repetition of the request act.
    await journal.synced()
  }
  return {
    request: executionId => write(executionId, 'cancel.requested', { isSaidBy: () => true }),
    keepEnd: receipt =>
      write(receipt.executionId, ENDED, { body: receipt, isSaidBy: ({ event }) => event.type === ENDED }),
  }
}

/** The receipt of an execution that was cancelled by its id before it was accepted. Throws JournalError. */
export const endedEarly = (journal: Pick<Journal, 'last' | 'body'>, executionId: string): StoredReceipt | undefined => {
  const last = journal.last(actorOf(executionId))
  return last?.event.type === ENDED ? (journal.body(last) as StoredReceipt | undefined) : undefined
}

/** False where the journal cannot be read: nothing is dispatched without it either. */
export const isCancelRequested = (journal: Pick<Journal, 'last'>, executionId: string): boolean => {
  try {
    return journal.last(actorOf(executionId)) !== undefined
  } catch {
    return false
  }
}

export interface CancelRequestsOptions {
  host: Pick<Host, 'onEmitted' | 'snapshot'>
  journal: Pick<Journal, 'last'>
  clock: Clock
  cancel: (executionId: string, actor: string) => unknown
}

export interface CancelRequests {
  /** Calls once when somebody wants an execution to end that is not accepted yet. Returns the end of the looking. */
  watch(executionId: string, cancel: () => void): () => void
}

/** Honours the requests for what this process runs, and for what it is told to watch. */
export const honourCancelRequests = ({ host, journal, clock, cancel }: CancelRequestsOptions): CancelRequests => {
  /** By actor for what runs, one execution at a time; `isOver` is true when no answer of it comes any more. */
  const watched = new Map<string, { executionId: string; cancel: () => void; isOver?: () => boolean }>()
  let isWaiting = false

  const look = () => {
    isWaiting = false
    for (const [key, { executionId, cancel, isOver }] of watched) {
      const isLeft = isOver?.() === true
      if (!isLeft && !isCancelRequested(journal, executionId)) continue
      watched.delete(key)
      if (!isLeft) cancel()
    }
    wait()
  }
  const wait = () => {
    if (isWaiting || watched.size === 0) return
    isWaiting = true
    clock.at(clock.now() + LOOK_MS, look, { idle: true })
  }
  const watch = (key: string, executionId: string, cancel: () => void, isOver?: () => boolean) => {
    watched.set(key, { executionId, cancel, ...(isOver ? { isOver } : {}) })
    wait()
  }

  host.onEmitted((actor, emitted) => {
    const { type, executionId } = emitted as DeviceEmitted
    if (type === 'execution.accepted') {
      watched.delete(actorOf(executionId))
      // An actor whose journal failed is dropped, and answers nothing.
      const isDropped = () => host.snapshot(actor) === undefined
      watch(actor, executionId, () => void cancel(executionId, actor), isDropped)
    } else if (type === 'execution.answered' && watched.get(actor)?.executionId === executionId) watched.delete(actor)
  })

  return {
    watch(executionId, cancel) {
      const key = actorOf(executionId)
      watch(key, executionId, cancel)
      return () => void watched.delete(key)
    },
  }
}
