/** The abort of a call: before its request is sent nothing is; afterwards its execution is cancelled, and its answer awaited a while. */
import { isReceiptOver } from '../../contracts/executions/outcome-of.ts'
import type { Dispatched } from '../../contracts/outcome.ts'
import { pause } from '../../runtime/clock.ts'
import type { Answered } from '../../runtime/http-exchange.ts'
import { followed } from './ask.ts'
import type { Executor } from './execution.ts'
import type { Receipt } from './generated/shapes.ts'
import { executionIdIn, objectIn } from './message.ts'
import type { CallOptions } from './options.ts'
import type { Signal } from './outside.ts'
import { cancelled, SvcError } from './svc-error.ts'

/** All of it together: to find the execution, to cancel it, and to hear the answer. */
const CANCEL_MS = 5_000
/** Once it is known to be over, the answer comes soon if it comes at all. */
const ANSWER_MS = 500
const LOOK_MS = 2_000
const LOOK_AGAIN_MS = 100

/** The receipt after the cancellation; `unaccepted` will never be accepted, and `of another` was asked for by another call. */
export type CancelOutcome = Receipt | 'unaccepted' | 'of another' | undefined

interface Cancellable {
  signal: Signal | undefined
  executionId: string | undefined
  /** Finds the execution where no id could be chosen. */
  commandId: string
  wasSent(): boolean
  /** True where another call may have begun the execution, which goes on then. */
  isShared: boolean
}

/** `dispatchedAt` is recorded before the phone is sent anything, and a cancellation may come between. */
const dispatchedIn = ({ executedSteps = [], ...receipt }: Receipt): Dispatched => {
  if (receipt.dispatchedAt === undefined) return isReceiptOver(receipt) ? false : 'unknown'
  return executedSteps.length > 0 || receipt.result?.ok === true || receipt.outcome === 'done' ? true : 'unknown'
}

/** The answer to a cancelled execution says no more than its receipt. */
const withoutGuess = (error: SvcError): SvcError =>
  error.code === 'EXECUTION_CANCELLED' && error.dispatched === true
    ? new SvcError({ ...error, message: error.message, dispatched: 'unknown' })
    : error

const codeOf = (error: unknown): string | undefined => (error instanceof SvcError ? error.code : undefined)

/** Under a key of the caller, the execution that its abort finds may be one that another call began before and waits for. */
export const mayBeOfAnother = async (
  { ask }: Executor,
  commandId: string,
  { idempotencyKey, signal }: CallOptions,
): Promise<boolean> => {
  if (idempotencyKey === undefined || signal === undefined) return false
  return ask('executions.list', { commandId, limit: 1 }, { timeoutMs: LOOK_MS, signal }).then(
    ({ executions }) => executions.some(receipt => !isReceiptOver(receipt)),
    () => true,
  )
}

export const cancelAfter = ({ ask, clock, memory }: Executor, call: Cancellable) => {
  const { controller: aborted, release } = followed(call.signal)
  /** Ends the exchange of the call. */
  const leaving = new AbortController()
  let cancelling: Promise<CancelOutcome> | undefined

  const find = async (): Promise<string | undefined> => {
    if (call.executionId !== undefined) return call.executionId
    for (const end = clock.now() + LOOK_MS; clock.now() < end; await pause(clock, LOOK_AGAIN_MS)) {
      const listed = await ask(
        'executions.list',
        { commandId: call.commandId, limit: 1 },
        { timeoutMs: LOOK_MS, isContinued: true },
      )
      const [receipt] = listed.executions
      if (receipt) return receipt.executionId
      if (leaving.signal.aborted) return undefined
    }
    return undefined
  }

  const cancel = async (): Promise<CancelOutcome> => {
    try {
      const executionId = await find()
      if (executionId === undefined) return undefined
      return (await ask('executions.cancel', { executionId }, { timeoutMs: LOOK_MS, isContinued: true })).execution
    } catch (error) {
      // A server without a journal knows nothing of what the one before it did.
      return memory !== undefined && codeOf(error) === 'EXECUTION_NOT_FOUND' ? 'unaccepted' : undefined
    }
  }

  const onAbort = () => {
    if (!call.wasSent()) return leaving.abort()
    if (call.isShared) {
      cancelling = Promise.resolve('of another')
      return leaving.abort()
    }
    cancelling = cancel()
    const leaveAfter = (ms: number) => void pause(clock, ms, leaving.signal).then(() => leaving.abort())
    leaveAfter(CANCEL_MS)
    void cancelling.then(outcome => {
      if (outcome === 'unaccepted' || (typeof outcome === 'object' && isReceiptOver(outcome))) leaveAfter(ANSWER_MS)
    })
  }
  aborted.signal.addEventListener('abort', onAbort, { once: true })

  return {
    leave: leaving.signal,
    outcome: async (): Promise<CancelOutcome> => (call.wasSent() ? cancelling : 'unaccepted'),
    /** From the answer that came after all. */
    errorOf(answer: Answered): SvcError {
      const executionId = executionIdIn(answer)
      try {
        const { envelope } = objectIn(answer, 'unknown')
        const message = 'The call was aborted, but the execution had ended before.'
        return cancelled(true, { message, executionId, details: { envelope } })
      } catch (error) {
        return withoutGuess(error as SvcError)
      }
    },
    unanswered(outcome: CancelOutcome): SvcError {
      const { executionId } = call
      if (outcome === 'unaccepted') return cancelled(false, { executionId })
      if (outcome === 'of another') {
        const message = 'The call was aborted; an execution of another call with the same idempotencyKey goes on.'
        return cancelled('unknown', { message, details: { commandId: call.commandId } })
      }
      if (outcome === undefined) return cancelled('unknown', { executionId, details: { commandId: call.commandId } })
      return cancelled(dispatchedIn(outcome), { executionId: outcome.executionId, details: { receipt: outcome } })
    },
    release() {
      release()
      aborted.signal.removeEventListener('abort', onAbort)
      leaving.abort()
    },
  }
}
