/** Waiting for executions to be over, whichever process runs them: all who wait for the same one share one look at it. */
import type { JournalRecord } from '../../contracts/records/journal.ts'
import type { Clock, Timer } from '../../runtime/clock.ts'
import type { Journal, StoredReceipt, Subscription } from '../../runtime/journal/journal.ts'
import { isSettled } from '../../runtime/journal/receipts.ts'

export interface WhenOverOptions {
  journal: Pick<Journal, 'subscribe' | 'receipt'>
  clock: Clock
  /** The receipt; if its owner has died, as the interruption leaves it. */
  receiptOf(executionId: string): Promise<StoredReceipt | undefined>
}

export interface Wait {
  /** The wait ends after this time. */
  withinMs: number
  /** Ends the waiting only. */
  leave?: AbortSignal | undefined
}

/** Resolves to the settled receipt, or to undefined when the wait has ended before. */
export type WhenOver = (executionId: string, wait: Wait) => Promise<StoredReceipt | undefined>

/** How often the owner of an execution is looked for: one that has died records no end. */
const LOOK_MS = 1_000

type Waiter = (receipt: StoredReceipt | undefined) => void

export const createWhenOver = ({ journal, clock, receiptOf }: WhenOverOptions): WhenOver => {
  const waiting = new Map<string, Set<Waiter>>()
  const looking = new Set<string>()
  let subscription: Subscription | undefined
  let timer: Timer | undefined

  const tell = (executionId: string, receipt: StoredReceipt | undefined) => {
    for (const waiter of [...(waiting.get(executionId) ?? [])]) waiter(receipt)
  }
  const tellIfOver = (executionId: string, receipt: StoredReceipt | undefined) => {
    if (receipt && isSettled(receipt)) tell(executionId, receipt)
  }
  const look = async (executionId: string) => {
    if (looking.has(executionId)) return
    looking.add(executionId)
    try {
      tellIfOver(executionId, await receiptOf(executionId))
    } catch {
      // The journal cannot be read: the callers are told what is known.
      tell(executionId, undefined)
    } finally {
      looking.delete(executionId)
    }
  }
  const lookAtAll = () => {
    for (const executionId of waiting.keys()) void look(executionId)
    timer = clock.at(clock.now() + LOOK_MS, lookAtAll)
  }
  const hear = (records: readonly JournalRecord[]) => {
    const concerned = new Set(records.map(({ event }) => event.executionId))
    for (const executionId of waiting.keys()) {
      if (!concerned.has(executionId)) continue
      const receipt = journal.receipt(executionId)
      if (receipt) tellIfOver(executionId, receipt)
      else void look(executionId)
    }
  }
  const begin = () => {
    subscription = journal.subscribe(records => {
      try {
        hear(records)
      } catch {
        // The next look says that the journal cannot be read.
      }
    })
    timer = clock.at(clock.now() + LOOK_MS, lookAtAll)
  }
  const end = () => {
    subscription?.close()
    timer?.cancel()
    subscription = undefined
    timer = undefined
  }

  const add = (executionId: string, waiter: Waiter) => {
    if (waiting.size === 0) begin()
    const waiters = waiting.get(executionId)
    if (waiters) return void waiters.add(waiter)
    waiting.set(executionId, new Set([waiter]))
    void look(executionId)
  }
  const remove = (executionId: string, waiter: Waiter) => {
    const waiters = waiting.get(executionId)
    if (!waiters?.delete(waiter) || waiters.size > 0) return
    waiting.delete(executionId)
    if (waiting.size === 0) end()
  }

  return (executionId, { withinMs, leave }) =>
    new Promise(resolve => {
      const waiter: Waiter = receipt => {
        late.cancel()
        leave?.removeEventListener('abort', giveUp)
        remove(executionId, waiter)
        resolve(receipt)
      }
      const giveUp = () => waiter(undefined)
      const late = clock.at(clock.now() + withinMs, giveUp)
      leave?.addEventListener('abort', giveUp, { once: true })
      if (leave?.aborted) giveUp()
      else add(executionId, waiter)
    })
}
