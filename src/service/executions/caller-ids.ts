/** Executions under ids that their callers chose: each runs once, and can be cancelled before it is accepted. */
import { CANCEL_AHEAD_MS } from '../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { idTime } from '../../runtime/ids.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { type CancelRecords, type CancelRequests, isCancelRequested } from './cancel-requests.ts'
import { cancelledRequest } from './execute.ts'
import { idempotencyOf, idKey, isOfOtherRequest } from './idempotency.ts'
import type { Executed, ExecutionOrder } from './order.ts'
import type { ExecutedOnce } from './service.ts'

export interface ChosenIdsOptions {
  journal: Journal
  clock: Clock
  requests: CancelRequests
  records: CancelRecords
  /** Identifies this process in what a caller is told. */
  pid: number
  execute(request: ExecutionOrder): Promise<Executed>
  executeOnce(key: string, request: ExecutionOrder): Promise<ExecutedOnce>
  /** Waits for the execution that has the id, and answers as it was answered. */
  replay(receipt: StoredReceipt, request: ExecutionOrder): Promise<ExecutedOnce>
}

interface Running {
  run: Promise<ExecutedOnce>
  request: ExecutionOrder
  cancel: AbortController
}

/** A fixed reason, because each abort with none makes an exception with a stack. */
const CANCELLED = 'the execution was cancelled'

/** Makes the receipt of an execution that ended before it was accepted. */
const unacceptedReceipt = (
  executionId: string,
  { execution, deviceId: named = '' }: ExecutionOrder,
  { result, deviceId = named }: Executed,
  at: number,
): StoredReceipt => {
  const { commandId, taskId } = execution
  return { executionId, commandId, taskId, deviceId, state: 'settled', acceptedAt: at, settledAt: at, result }
}

const isCancelled = ({ result }: Executed): boolean => !result.ok && result.error.code === 'EXECUTION_CANCELLED'

export const createChosenIds = (options: ChosenIdsOptions) => {
  const { journal, clock, requests, records, pid, execute, executeOnce, replay } = options
  /** The executions that are running in this process, by id. */
  const running = new Map<string, Running>()

  const runAs = async (executionId: string, callerRequest: ExecutionOrder, key?: string): Promise<ExecutedOnce> => {
    const answerOf = (first: StoredReceipt): ExecutedOnce | Promise<ExecutedOnce> =>
      isOfOtherRequest(first, callerRequest) ? { kind: 'reused', executionId } : replay(first, callerRequest)
    const before = journal.receipt(executionId)
    if (before) return answerOf(before)
    const request = { ...callerRequest, executionId }
    if (isCancelRequested(journal, executionId)) {
      const error = cancelledRequest(request, { pid, since: clock.now() })
      return { kind: 'executed', result: { ok: false, error } }
    }
    const run = async (): Promise<ExecutedOnce> => {
      if (key !== undefined) return executeOnce(key, request)
      return { kind: 'executed', ...(await execute({ ...request, idempotency: idKey(executionId, callerRequest) })) }
    }
    const executed = await run()
    if (executed.kind !== 'executed' || executed.executionId !== undefined) return executed
    // Refused, it has run nothing: perhaps because another process was first to use the id.
    const first = journal.receipt(executionId)
    return first ? answerOf(first) : executed
  }

  /** The receipt of an execution that was cancelled by its id, which nothing else in the journal tells of. */
  const keepEnd = async (executionId: string, request: ExecutionOrder, executed: ExecutedOnce): Promise<void> => {
    if (executed.kind !== 'executed' || executed.executionId !== undefined || !isCancelled(executed)) return
    if (!isCancelRequested(journal, executionId)) return
    // The answer is true without it.
    await records.keepEnd(unacceptedReceipt(executionId, request, executed, clock.now())).catch(() => {})
  }

  return {
    async executeAs(executionId: string, callerRequest: ExecutionOrder, key?: string): Promise<ExecutedOnce> {
      const first = running.get(executionId)
      if (first) {
        const isOther = idempotencyOf('', first.request).payload !== idempotencyOf('', callerRequest).payload
        if (isOther) return { kind: 'reused', executionId }
        const executed = await first.run
        return executed.kind === 'executed' ? { ...executed, kind: 'replayed' } : executed
      }
      const canceller = new AbortController()
      const request = {
        ...callerRequest,
        cancel: callerRequest.cancel ? AbortSignal.any([callerRequest.cancel, canceller.signal]) : canceller.signal,
      }
      const stopWatching = requests.watch(executionId, () => canceller.abort(CANCELLED))
      const run = runAs(executionId, request, key)
      running.set(executionId, { run, request, cancel: canceller })
      try {
        const executed = await run
        await keepEnd(executionId, request, executed)
        return executed
      } finally {
        stopWatching()
        running.delete(executionId)
      }
    },
    isHere: (executionId: string) => running.has(executionId),
    /** An id that some process may be preparing, or that is still on its way to one. */
    mayCome: (executionId: string): boolean => {
      const madeAt = idTime(executionId)
      return madeAt !== undefined && Math.abs(clock.now() - madeAt) <= CANCEL_AHEAD_MS
    },
    /** Cancels what this process prepares under the id; undefined when it prepares nothing. */
    cancelHere(executionId: string, withinMs: number): Promise<StoredReceipt | undefined> | undefined {
      const runningHere = running.get(executionId)
      if (!runningHere) return undefined
      runningHere.cancel.abort(CANCELLED)
      const ended = runningHere.run.then(executed => {
        const kept = journal.receipt(executionId)
        if (kept || executed.kind === 'reused') return kept
        return unacceptedReceipt(executionId, runningHere.request, executed, clock.now())
      })
      return Promise.race([ended, pause(clock, withinMs).then(() => undefined)])
    },
  }
}
