/** The executions of this process: run one, run one once, cancel one, look one up. */
import type { DeviceEmitted } from '../../machines/device-setup.ts'
import { failure } from '../contracts/failures.ts'
import { ENVELOPE_GRACE_MS } from '../contracts/limits.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Host } from '../runtime/host.ts'
import { JournalError } from '../runtime/journal/fault.ts'
import type { Journal, StoredReceipt } from '../runtime/journal/journal.ts'
import { eachReceipt } from '../runtime/journal/reading.ts'
import { isSettled } from '../runtime/journal/receipts.ts'
import { createRequestCancel, honourCancelRequests } from './cancel-requests.ts'
import type { Executed, ExecuteRequest, Executor } from './execute.ts'
import { holderOf, idempotencyOf, ownKey } from './idempotency.ts'
import { createResume } from './resume.ts'
import type { Cancelled, ExecutedOnce, Executions } from './service.ts'

export interface ExecutionsOptions {
  executor: Executor
  host: Host
  journal: Journal
  clock: Clock
}

/** How long a cancellation waits for the owner's answer, which takes no device. */
const CANCEL_MS = 5_000
/** How long after its end the first execution under a key may take to be on record. */
const RECORDED_MS = 1_000
/** How often a wait for another process looks whether that process still lives. */
const LOOK_MS = 1_000

const answerOf = ({ executionId, deviceId, result }: StoredReceipt): Executed => ({
  executionId,
  deviceId,
  result: result ?? { ok: false, error: failure('INTERNAL_ERROR', 'The receipt has no result.') },
})

export const createExecutions = ({ executor, host, journal, clock }: ExecutionsOptions): Executions => {
  const requestCancel = createRequestCancel({ journal, clock })

  /** What cannot be settled now is told as it stands. */
  const settleDead = async (actor?: string) => {
    try {
      await host.recover(actor === undefined ? {} : { actor })
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
    }
  }

  /** The receipt; if its owner has died, as the interruption leaves it. Throws JournalError where it cannot be read. */
  const receiptOf = async (executionId: string): Promise<StoredReceipt | undefined> => {
    const receipt = journal.receipt(executionId)
    if (!receipt || isSettled(receipt)) return receipt
    await settleDead(`device:${receipt.deviceId}`)
    return journal.receipt(executionId)
  }

  /** Waits until the execution is over, whichever process runs it; undefined when that took too long. */
  const whenOver = (executionId: string, until: number, signal?: AbortSignal) =>
    new Promise<StoredReceipt | undefined>(resolve => {
      let isOver = false
      const end = (found: StoredReceipt | undefined) => {
        isOver = true
        timer.cancel()
        watch.close()
        signal?.removeEventListener('abort', leave)
        resolve(found)
      }
      const leave = () => end(undefined)
      const seen = (receipt: StoredReceipt | undefined) => {
        if (receipt && isSettled(receipt)) end(receipt)
        return receipt !== undefined && isSettled(receipt)
      }
      const look = () => {
        receiptOf(executionId).then(
          receipt => {
            if (isOver || seen(receipt)) return
            if (clock.now() >= until) leave()
            else timer = clock.at(Math.min(until, clock.now() + LOOK_MS), look)
          },
          () => leave(),
        )
      }
      const watch = journal.subscribe(() => void seen(journal.receipt(executionId)))
      let timer = clock.at(clock.now(), look)
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted) leave()
    })

  const replay = async ({ executionId, acceptedAt }: StoredReceipt, request: ExecuteRequest): Promise<ExecutedOnce> => {
    const until = acceptedAt + request.execution.timeoutMs + ENVELOPE_GRACE_MS + RECORDED_MS
    const first = await whenOver(executionId, until, request.signal)
    if (first) return { kind: 'replayed', ...answerOf(first) }
    const message = 'The first execution under this key has not settled in time.'
    const error = failure('INTERNAL_ERROR', message, { details: { executionId } })
    return { kind: 'replayed', executionId, result: { ok: false, error } }
  }

  const executeOnce = async (key: string, request: ExecuteRequest): Promise<ExecutedOnce> => {
    const idempotency = idempotencyOf(key, request)
    const replayed = async (): Promise<ExecutedOnce | undefined> => {
      const first = holderOf(journal, idempotency, clock.now())
      if (!first) return undefined
      return first.idempotency?.payload === idempotency.payload ? replay(first, request) : { kind: 'reused' }
    }
    const before = await replayed()
    if (before) return before
    const executed = await executor({ ...request, idempotency })
    if (executed.executionId !== undefined) return { kind: 'executed', ...executed }
    // Refused, it has run nothing: perhaps because another call with the same key was first.
    return (await replayed()) ?? { kind: 'executed', ...executed }
  }

  const { resumption, resume } = createResume({ executor, journal, receiptOf })

  const execute: Executions['execute'] = ({ resumes, ...request }) =>
    resumes === undefined ? executor(request) : resume({ ...request, resumes })

  /** Executions under chosen ids, as long as they run here. */
  const running = new Map<string, Promise<ExecutedOnce>>()

  const runAs = async (executionId: string, given: ExecuteRequest, key?: string): Promise<ExecutedOnce> => {
    const before = journal.receipt(executionId)
    if (before) return replay(before, given)
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

  const executeAs: Executions['executeAs'] = async (executionId, request, key) => {
    const first = running.get(executionId)
    if (first) {
      const executed = await first
      return executed.kind === 'executed' ? { ...executed, kind: 'replayed' } : executed
    }
    const run = runAs(executionId, request, key)
    running.set(executionId, run)
    try {
      return await run
    } finally {
      running.delete(executionId)
    }
  }

  const cancelHere = (executionId: string, serial: string) =>
    host.ask<DeviceEmitted>(
      { id: `device:${serial}`, machine: 'device', input: { serial } },
      { type: 'execution.cancelled', executionId },
      {
        matches: emitted => emitted.type === 'execution.answered' && emitted.executionId === executionId,
        until: clock.now() + CANCEL_MS,
      },
    )

  const cancel = async (executionId: string): Promise<Cancelled> => {
    const receipt = await receiptOf(executionId)
    if (!receipt) return { kind: 'unknown' }
    if (isSettled(receipt)) return { kind: 'settled', receipt }
    const asked = await cancelHere(executionId, receipt.deviceId)
    if (asked.kind === 'unrecorded') throw asked.error
    if (asked.kind === 'broken' && asked.error instanceof JournalError) throw asked.error
    if (asked.kind === 'held') {
      await requestCancel(executionId)
      await whenOver(executionId, clock.now() + CANCEL_MS)
    }
    const now = journal.receipt(executionId) ?? receipt
    if (asked.kind === 'held' && !isSettled(now))
      return { kind: 'elsewhere', receipt: now, pid: asked.lease.holder.pid }
    const isCancelled = now.result?.ok === false && now.result.error.code === 'EXECUTION_CANCELLED'
    return { kind: isCancelled ? 'cancelled' : 'settled', receipt: now }
  }

  honourCancelRequests({
    host,
    journal,
    clock,
    cancel: (executionId, actor) => cancelHere(executionId, actor.slice('device:'.length)).catch(() => {}),
  })

  return {
    execute,
    resumption,
    executeOnce,
    executeAs,
    cancel,
    receipt: receiptOf,
    receipts: async query => {
      await settleDead()
      return eachReceipt(journal, query)
    },
  }
}
