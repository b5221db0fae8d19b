/** The executions of this process, as the mouths ask for them. */
import type { DeviceEmitted } from '../../machines/device-setup.ts'
import { failure } from '../contracts/failures.ts'
import { ENVELOPE_GRACE_MS, EXECUTION_TIMEOUT_MS } from '../contracts/limits.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import type { Ids } from '../runtime/ids.ts'
import { eachReceipt } from '../runtime/journal/each-receipt.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import type { Journal, StoredReceipt } from '../runtime/journal/journal.ts'
import type { Executed, ExecuteRequest, Executor } from './execute.ts'
import { type Keys, payloadDigest } from './idempotency.ts'
import type { Cancelled, ExecutedOnce, Executions } from './service.ts'

export interface ExecutionsOptions {
  executor: Executor
  host: Host
  journal: Journal
  clock: Clock
  ids: Ids
  keys: Keys
}

/** How long a cancellation waits for the machine's answer, which takes no device. */
const CANCEL_MS = 5_000
/** Preparing, running to the limit, and the last look after it. */
const LONGEST_MS = EXECUTION_TIMEOUT_MS.max + 8 * ENVELOPE_GRACE_MS

const isOver = ({ state }: StoredReceipt) => state === 'settled' || state === 'interrupted'

const answerOf = ({ executionId, deviceId, result }: StoredReceipt): Executed => ({
  executionId,
  deviceId,
  result: result ?? { ok: false, error: failure('INTERNAL_ERROR', 'The receipt holds no result.') },
})

export const createExecutions = (options: ExecutionsOptions): Executions => {
  const { executor, host, journal, clock, ids, keys } = options

  /** Resolves when `look` finds something, looked for after each record of any process; undefined when it took too long. */
  const waitFor = <T>(look: () => T | undefined, signal?: AbortSignal) =>
    new Promise<T | undefined>(resolve => {
      const end = (found: T | undefined) => {
        timer.cancel()
        watch.close()
        signal?.removeEventListener('abort', leave)
        resolve(found)
      }
      const leave = () => end(undefined)
      const timer = clock.at(clock.now() + LONGEST_MS, leave)
      const watch = journal.subscribe(() => {
        const found = look()
        if (found !== undefined) end(found)
      })
      signal?.addEventListener('abort', leave, { once: true })
      const now = look()
      if (now !== undefined) end(now)
    })

  /** What the first call under the key came to: its receipt, or that it was refused and left none. */
  const firstOf = (key: string, executionId: string, signal: AbortSignal | undefined) =>
    waitFor<StoredReceipt | 'refused'>(() => {
      const receipt = journal.receipt(executionId)
      if (receipt) return isOver(receipt) ? receipt : undefined
      return keys.isTakenBy(key, executionId) ? undefined : 'refused'
    }, signal)

  const executeOnce = async (key: string, request: ExecuteRequest): Promise<ExecutedOnce> => {
    const executionId = request.executionId ?? ids.at(clock.now())
    const state = keys.take(key, payloadDigest(request), executionId)
    if (state.kind === 'reused') return { kind: 'reused' }
    if (state.kind === 'taken') {
      const executed = await executor({ ...request, executionId })
      if (executed.executionId === undefined) keys.free(key, executionId)
      return { kind: 'executed', ...executed }
    }
    const first = await firstOf(key, state.executionId, request.signal)
    // Refused, it has run nothing, and this call is as good as the first.
    if (first === 'refused') return executeOnce(key, request)
    if (first) return { kind: 'replayed', ...answerOf(first) }
    const message = 'The first execution under this key has not settled in time.'
    const error = failure('INTERNAL_ERROR', message, { details: { executionId: state.executionId } })
    return { kind: 'replayed', executionId: state.executionId, result: { ok: false, error } }
  }

  const cancel = async (executionId: string): Promise<Cancelled> => {
    const receipt = journal.receipt(executionId)
    if (!receipt) return { kind: 'unknown' }
    if (isOver(receipt)) return { kind: 'settled', receipt }
    const id = `device:${receipt.deviceId}`
    const lease = journal.leases.list().find(({ note }) => note.actor === id)
    const target = { id, machine: 'device', input: { serial: receipt.deviceId }, leaseKey: lease?.key ?? id }
    const asked = await host.ask<DeviceEmitted>(
      target,
      { type: 'execution.cancelled', executionId },
      {
        matches: emitted => emitted.type === 'execution.answered' && emitted.executionId === executionId,
        until: clock.now() + CANCEL_MS,
      },
    )
    if (asked.kind === 'unrecorded') throw asked.error
    if (asked.kind === 'broken' && asked.error instanceof JournalError) throw asked.error
    const now = journal.receipt(executionId) ?? receipt
    if (asked.kind === 'held') return { kind: 'elsewhere', receipt: now, pid: asked.lease.holder.pid }
    const isCancelled = now.result?.ok === false && now.result.error.code === 'EXECUTION_CANCELLED'
    return { kind: isCancelled ? 'cancelled' : 'settled', receipt: now }
  }

  return {
    execute: executor,
    executeOnce,
    cancel,
    receipt: journal.receipt,
    receipts: query => eachReceipt(journal, query),
  }
}
