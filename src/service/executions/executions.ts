/** The executions of this process: run one, run one once, cancel one, look one up. */
import type { DeviceEmitted } from '../../../machines/device/device-setup.ts'
import { wasAccepted } from '../../contracts/executions/receipt.ts'
import { ENVELOPE_GRACE_MS, WAIT_FOR_PHONE_MS } from '../../contracts/limits/limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Host } from '../../runtime/host.ts'
import { JournalError } from '../../runtime/journal/fault.ts'
import type { Journal, StoredReceipt } from '../../runtime/journal/journal.ts'
import { eachReceipt } from '../../runtime/journal/reading.ts'
import { isSettled } from '../../runtime/journal/receipts.ts'
import { createChosenIds } from './caller-ids.ts'
import { createCancelRecords, endedEarly, honourCancelRequests } from './cancel-requests.ts'
import { toldSteps } from './completed-steps.ts'
import { createDecide } from './evidence/decide.ts'
import type { Learner } from './evidence/learn.ts'
import type { Executor } from './execute.ts'
import { holderOf, idempotencyOf, isOfOtherPayload } from './idempotency.ts'
import type { Executed, ExecutionOrder } from './order.ts'
import { leftFirst, outcomeUnknown } from './refusals.ts'
import { createResume } from './resume.ts'
import type { Cancelled, ExecutedOnce, Executions } from './service.ts'
import { createWhenOver } from './wait-for-end.ts'
import { deviceTarget, type WaitingRooms } from './waiting/waiting-room.ts'

interface Over {
  kind: 'over'
  receipt: StoredReceipt
}

export interface ExecutionsOptions {
  learner: Learner
  executor: Executor
  host: Host
  journal: Journal
  clock: Clock
  rooms: WaitingRooms
}

/** How long a cancellation waits for the owner's answer, which takes no device. */
const CANCEL_MS = 5_000
/** A fixed reason, because each abort with none makes an exception with a stack. */
const ANSWERED = 'the cancellation was answered'
/** How long after its end the first execution under a key may take to be on record. */
const RECORDED_MS = 1_000
/** How long a cancellation waits for an execution that no process has accepted yet. */
const UNACCEPTED_MS = 1_000

export const createExecutions = ({ executor, host, journal, clock, rooms, learner }: ExecutionsOptions): Executions => {
  const records = createCancelRecords({ journal, clock })
  const requestCancel = records.request

  /** Nobody was answered by a host that died: what is known by now is the answer. */
  const answerOf = (receipt: StoredReceipt): Executed => {
    const { executionId, deviceId } = receipt
    const told = receipt.state === 'interrupted' ? toldSteps(() => journal, receipt) : undefined
    const result = told?.result ?? receipt.result
    return {
      executionId,
      deviceId,
      result: result ?? { ok: false, error: outcomeUnknown('The receipt has no result', executionId, journal) },
    }
  }

  /** An actor that cannot be settled now is told as it stands. */
  const settleDead = async (actor?: string) => {
    try {
      await host.recover(actor === undefined ? {} : { actor })
    } catch (error) {
      if (!(error instanceof JournalError)) throw error
    }
  }

  const settleWaiting = ({ deviceId }: StoredReceipt) => rooms.settleDead(deviceId).catch(() => false)

  /** Those whose processes died while they waited are settled meanwhile, for the next who asks. */
  function* withoutGhosts(receipts: Iterable<StoredReceipt>): Generator<StoredReceipt> {
    for (const receipt of receipts) {
      if (receipt.state === 'waiting') void settleWaiting(receipt)
      yield receipt
    }
  }

  /** The receipt; if its owner has died, as the interruption leaves it. Throws JournalError where it cannot be read. */
  const receiptOf = async (executionId: string): Promise<StoredReceipt | undefined> => {
    const receipt = journal.receipt(executionId)
    if (!receipt) return endedEarly(journal, executionId)
    if (isSettled(receipt)) return receipt
    if (receipt.state === 'waiting') await settleWaiting(receipt)
    else await settleDead(`device:${receipt.deviceId}`)
    return journal.receipt(executionId)
  }

  const whenOver = createWhenOver({ journal, clock, receiptOf })
  const decided = createDecide({ host, journal, clock, learner, whenOver })

  const replay = async (first: StoredReceipt, { execution, cancel, leave }: ExecutionOrder): Promise<ExecutedOnce> => {
    const { executionId } = first
    const waitMs = first.state === 'waiting' ? WAIT_FOR_PHONE_MS.max : 0
    const withinMs = waitMs + execution.timeoutMs + ENVELOPE_GRACE_MS + RECORDED_MS
    // To leave the first execution is all that a later caller can do: it is not theirs to cancel.
    const left = cancel && leave ? AbortSignal.any([cancel, leave]) : (cancel ?? leave)
    const over = isSettled(first) ? first : await whenOver(executionId, { withinMs, leave: left })
    if (over && !wasAccepted(over) && over.result)
      return { kind: 'replayed', deviceId: over.deviceId, result: over.result }
    // Nobody was answered by a host that died, so the phone is asked first.
    const known = over?.state === 'interrupted' ? (await decided(over, { signal: left })).receipt : over
    if (known) return { kind: 'replayed', ...answerOf(known) }
    if (left?.aborted)
      return { kind: 'replayed', executionId, result: { ok: false, error: leftFirst(executionId, journal) } }
    const why = 'The first execution under this key has not settled in time'
    return { kind: 'replayed', executionId, result: { ok: false, error: outcomeUnknown(why, executionId, journal) } }
  }

  const executeOnce = async (key: string, request: ExecutionOrder): Promise<ExecutedOnce> => {
    const idempotency = idempotencyOf(key, request)
    const replayed = async (): Promise<ExecutedOnce | undefined> => {
      const first = holderOf(journal, idempotency, clock.now())
      if (!first) return undefined
      return isOfOtherPayload(first, idempotency) ? { kind: 'reused' } : replay(first, request)
    }
    const before = await replayed()
    if (before) return before
    const executed = await executor({ ...request, idempotency })
    if (executed.executionId !== undefined) return { kind: 'executed', ...executed }
    // Refused, it has run nothing: perhaps because another call with the same key was first.
    return (await replayed()) ?? { kind: 'executed', ...executed }
  }

  const { resumption, resume } = createResume({
    executor,
    journal,
    clock,
    receipt: receiptOf,
    decided,
  })

  const execute: Executions['execute'] = ({ resumes, ...request }) =>
    resumes === undefined ? executor(request) : resume({ ...request, resumes })

  const cancelHere = (executionId: string, serial: string) =>
    host.ask<DeviceEmitted>(
      { id: `device:${serial}`, machine: 'device', input: { serial } },
      { type: 'execution.cancelled', executionId },
      {
        matches: emitted => emitted.type === 'execution.answered' && emitted.executionId === executionId,
        until: clock.now() + CANCEL_MS,
      },
    )

  /** One that ends in this very moment emits no answer to its cancellation. */
  const unlessOver = async <T>(executionId: string, answer: Promise<T>): Promise<T | Over> => {
    const answered = new AbortController()
    const over = whenOver(executionId, { withinMs: CANCEL_MS, leave: answered.signal }).then(
      (receipt): T | Over | Promise<T> => (receipt ? { kind: 'over', receipt } : answer),
    )
    return Promise.race([answer, over]).finally(() => answered.abort(ANSWERED))
  }

  const kindOf = ({ result }: StoredReceipt) =>
    result?.ok === false && result.error.code === 'EXECUTION_CANCELLED' ? 'cancelled' : 'settled'

  /** A receipt that the disk does not have may go with the power, and a repetition under the same id would then act. */
  const kept = async (receipt: StoredReceipt): Promise<StoredReceipt> => {
    await journal.synced()
    return receipt
  }

  /** The execution may be prepared here, or by another process, or be on its way: what is accepted meanwhile is cancelled as ever. */
  const cancelUnaccepted = async (executionId: string): Promise<Cancelled> => {
    const here = chosen.cancelHere(executionId, CANCEL_MS)
    if (!here && !chosen.mayCome(executionId)) return { kind: 'unknown' }
    // On record also for what is cancelled here: the same request may be on its way to another process, or come again.
    // Nobody hears how it ended when the request cannot be recorded.
    here?.catch(() => {})
    await requestCancel(executionId)
    const ended = await (here ?? whenOver(executionId, { withinMs: UNACCEPTED_MS }))
    if (ended && isSettled(ended)) {
      if (!journal.receipt(executionId)) await records.keepEnd(ended)
      return { kind: kindOf(ended), receipt: endedEarly(journal, executionId) ?? ended }
    }
    return journal.receipt(executionId) ? cancel(executionId) : { kind: 'unknown' }
  }

  const cancel = async (executionId: string): Promise<Cancelled> => {
    const receipt = await receiptOf(executionId)
    if (!receipt) return cancelUnaccepted(executionId)
    if (isSettled(receipt)) return { kind: 'settled', receipt: await kept(receipt) }
    if (receipt.state === 'waiting') {
      // The place in the history decides: the process that waits finds it there before it can take the device.
      await host.appendAsGuest(deviceTarget(receipt.deviceId), {
        type: 'execution.left',
        executionId,
        why: 'cancelled',
      })
      const left = journal.receipt(executionId) ?? receipt
      if (left.state !== 'waiting')
        return isSettled(left) ? { kind: kindOf(left), receipt: await kept(left) } : cancel(executionId)
    }
    const outcome = await unlessOver(executionId, cancelHere(executionId, receipt.deviceId))
    if (outcome.kind === 'over') return { kind: kindOf(outcome.receipt), receipt: await kept(outcome.receipt) }
    if (outcome.kind === 'unrecorded') throw outcome.error
    if (outcome.kind === 'broken' && outcome.error instanceof JournalError) throw outcome.error
    if (outcome.kind === 'held') {
      await requestCancel(executionId)
      await whenOver(executionId, { withinMs: CANCEL_MS })
    }
    const now = journal.receipt(executionId) ?? receipt
    if (outcome.kind === 'held' && !isSettled(now))
      return { kind: 'elsewhere', receipt: now, pid: outcome.lease.holder.pid }
    return { kind: kindOf(now), receipt: await kept(now) }
  }

  const requests = honourCancelRequests({
    host,
    journal,
    clock,
    cancel: (executionId, actor) => cancelHere(executionId, actor.slice('device:'.length)).catch(() => {}),
  })
  const chosen = createChosenIds({
    journal,
    clock,
    requests,
    records,
    pid: host.holder.pid,
    execute,
    executeOnce,
    replay,
  })

  return {
    execute,
    resumption,
    executeOnce,
    executeAs: chosen.executeAs,
    cancel,
    isHere: chosen.isHere,
    learner,
    receipt: receiptOf,
    decided,
    receipts: async query => {
      await settleDead()
      return withoutGhosts(eachReceipt(journal, query))
    },
  }
}
