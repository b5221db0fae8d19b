/** Executions under ids that their callers chose: each runs once, and can be cancelled before it is accepted. */
import { type Clock, pause } from '../runtime/clock.ts'
import { idTime } from '../runtime/ids.ts'
import type { Journal, StoredReceipt } from '../runtime/journal/journal.ts'
import { type CancelRequests, isCancelRequested } from './cancel-requests.ts'
import type { Executed, ExecuteRequest } from './execute.ts'
import { ownKey } from './idempotency.ts'
import { cancelledEarly } from './refusals.ts'
import type { ExecutedOnce } from './service.ts'

export interface ChosenIdsOptions {
  journal: Journal
  clock: Clock
  requests: CancelRequests
  execute(request: ExecuteRequest): Promise<Executed>
  executeOnce(key: string, request: ExecuteRequest): Promise<ExecutedOnce>
  /** Waits for the execution that has the id, and answers as it was answered. */
  replay(receipt: StoredReceipt, request: ExecuteRequest): Promise<ExecutedOnce>
}

interface Running {
  run: Promise<ExecutedOnce>
  request: ExecuteRequest
  cancel: AbortController
}

/** How far the clock of a caller of another machine may be from ours, and how long a request may be on its way. */
const FRESH_MS = 3_600_000
/** A fixed reason, because each abort with none makes an exception with a stack. */
const CANCELLED = 'the execution was cancelled'

/** Makes the receipt of an execution that ended before it was accepted: the journal keeps none. */
const unkeptReceipt = (
  executionId: string,
  { request: { execution, deviceId = '' } }: Running,
  result: Executed['result'],
  at: number,
): StoredReceipt => {
  const { commandId, taskId } = execution
  return { executionId, commandId, taskId, deviceId, state: 'settled', acceptedAt: at, settledAt: at, result }
}

export const createChosenIds = (options: ChosenIdsOptions) => {
  const { journal, clock, requests, execute, executeOnce, replay } = options
  /** The executions that are running in this process, by id. */
  const running = new Map<string, Running>()

  const runAs = async (executionId: string, given: ExecuteRequest, key?: string): Promise<ExecutedOnce> => {
    const before = journal.receipt(executionId)
    if (before) return replay(before, given)
    if (isCancelRequested(journal, executionId))
      return { kind: 'executed', result: { ok: false, error: cancelledEarly() } }
    const request = { ...given, executionId }
    const run = async (): Promise<ExecutedOnce> => {
      if (key !== undefined) return executeOnce(key, request)
      return { kind: 'executed', ...(await execute({ ...request, idempotency: ownKey('id', executionId) })) }
    }
    const executed = await run()
    if (executed.kind !== 'executed' || executed.executionId !== undefined) return executed
    // Refused, it has run nothing: perhaps because another process was first to use the id.
    const first = journal.receipt(executionId)
    return first ? replay(first, given) : executed
  }

  return {
    async executeAs(executionId: string, given: ExecuteRequest, key?: string): Promise<ExecutedOnce> {
      const first = running.get(executionId)
      if (first) {
        const executed = await first.run
        return executed.kind === 'executed' ? { ...executed, kind: 'replayed' } : executed
      }
      const own = new AbortController()
      const request = { ...given, cancel: given.cancel ? AbortSignal.any([given.cancel, own.signal]) : own.signal }
      const stopWatching = requests.watch(executionId, () => own.abort(CANCELLED))
      const run = runAs(executionId, request, key)
      running.set(executionId, { run, request, cancel: own })
      try {
        return await run
      } finally {
        stopWatching()
        running.delete(executionId)
      }
    },
    isHere: (executionId: string) => running.has(executionId),
    /** An id that some process may be preparing, or that is still on its way to one. */
    mayCome: (executionId: string): boolean => {
      const madeAt = idTime(executionId)
      return madeAt !== undefined && Math.abs(clock.now() - madeAt) <= FRESH_MS
    },
    /** Cancels what this process prepares under the id; undefined when it prepares nothing. */
    cancelHere(executionId: string, withinMs: number): Promise<StoredReceipt | undefined> | undefined {
      const own = running.get(executionId)
      if (!own) return undefined
      own.cancel.abort(CANCELLED)
      const ended = own.run.then(executed => {
        const kept = journal.receipt(executionId)
        if (kept || executed.kind === 'reused') return kept
        return unkeptReceipt(executionId, own, executed.result, clock.now())
      })
      return Promise.race([ended, pause(clock, withinMs).then(() => undefined)])
    },
  }
}
