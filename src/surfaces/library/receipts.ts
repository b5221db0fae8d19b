/** Receipts: what became of an execution, also long after its call. */
import { isReceiptOver } from '../../contracts/executions/outcome-of.ts'
import { type Clock, pause } from '../../runtime/clock.ts'
import { type Ask, followed } from './ask.ts'
import type { ExecutionsQueryInput, Receipt } from './generated/shapes.ts'
import type { AskOptions } from './options.ts'
import { cancelled, SvcError } from './svc-error.ts'

export interface Receipts {
  get(executionId: string, options?: AskOptions): Promise<Receipt>
  /** The newest first. */
  list(query?: ExecutionsQueryInput, options?: AskOptions): Promise<Receipt[]>
  /** Waits until the execution is over, for at most `timeoutMs` (5 minutes unless told). */
  wait(executionId: string, options?: AskOptions): Promise<Receipt>
  /** Cancels an execution; of one that is over it answers the receipt. */
  cancel(executionId: string, options?: AskOptions): Promise<Receipt>
}

const WAIT_MS = 5 * 60_000
const FIRST_LOOK_MS = 50
const LONGEST_LOOK_MS = 1_000

const stillRunning = ({ executionId, state }: Receipt, ms: number) =>
  new SvcError({
    code: 'RESULT_ENVELOPE_TIMEOUT',
    message: `The execution ${executionId} was still ${state} after ${ms} ms.`,
    hint: 'Wait longer with timeoutMs, or cancel it with svc.receipts.cancel(executionId).',
    executionId,
    dispatched: state === 'dispatched' ? true : 'unknown',
  })

/** The execution itself goes on. */
const waitAborted = (executionId: string, seen: Receipt | undefined) =>
  cancelled(seen?.state === 'dispatched' ? true : 'unknown', {
    executionId,
    message: 'The wait for the execution was aborted; the execution goes on.',
    hint: 'See what became of it with svc.receipts.wait(error.executionId) before you do it again.',
  })

/** @internal */
export const createReceipts = (ask: Ask, clock: Clock): Receipts => {
  const get: Receipts['get'] = async (executionId, options) =>
    (await ask('executions.get', { executionId }, options)).execution
  return {
    get,
    list: async (query = {}, options) => (await ask('executions.list', query, options)).executions,
    cancel: async (executionId, options) => (await ask('executions.cancel', { executionId }, options)).execution,
    async wait(executionId, { signal, timeoutMs = WAIT_MS } = {}) {
      const { controller, release } = followed(signal)
      const end = clock.now() + timeoutMs
      let seen: Receipt | undefined
      try {
        for (let ms = FIRST_LOOK_MS; ; ms = Math.min(2 * ms, LONGEST_LOOK_MS)) {
          const isContinued = seen !== undefined
          const answer = ask('executions.get', { executionId }, { signal: controller.signal, isContinued })
          const { execution: receipt } = await answer
          seen = receipt
          if (isReceiptOver(receipt)) return receipt
          if (clock.now() >= end) throw stillRunning(receipt, timeoutMs)
          await pause(clock, Math.min(ms, end - clock.now()), controller.signal)
          if (controller.signal.aborted) throw waitAborted(executionId, seen)
        }
      } catch (error) {
        throw controller.signal.aborted ? waitAborted(executionId, seen) : error
      } finally {
        release()
      }
    },
  }
}
