/** The caller of a command was interrupted: its execution is cancelled where it runs. Loaded only then. */

import type { DispatchEvent } from '../../../contracts/events/dispatch.ts'
import type { Unstamped } from '../../../contracts/events/event.ts'
import type { ExecutionResult } from '../../../contracts/executions/execution-result.ts'
import type { Receipt } from '../../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import { asObject, parseObject } from '../../../runtime/files/small-file.ts'
import type { DaemonPaths } from '../paths.ts'
import { openConnection, requestHead } from './connection.ts'
import type { ClientSystem } from './open.ts'
import type { Answer } from './response.ts'

/** The state of the execution after its cancellation; `unaccepted` will never be accepted. */
export type CancelledState = Pick<Receipt, 'dispatchedAt' | 'result'> | 'unaccepted' | undefined

export interface CancelOptions {
  paths: DaemonPaths
  clock: Clock
  system?: ClientSystem | undefined
  /** Through the journal, for a daemon that does not answer. */
  cancelRecorded?: ((executionId: string) => Promise<CancelledState>) | undefined
}

export interface CancelOutcome {
  event: Unstamped<DispatchEvent>
  /** Present when the execution had ended before. */
  answer?: Answer
  /** Copied from the receipt of a cancelled execution. */
  error?: ErrorObject
}

/** Together they are how long an interrupted command may go on. */
const DAEMON_MS = 3_000
const JOURNAL_MS = 2_000
const OK = 200

const askDaemon = async (executionId: string, { paths, clock, system }: CancelOptions): Promise<CancelledState> => {
  const connection = openConnection(paths.socket, clock, system?.connect)
  const request = requestHead(`DELETE /executions/${executionId}`, { Connection: 'close' })
  // Without a signal: it has come already, and the next one ends the process.
  const exchanged = await connection.exchange(request, { ms: DAEMON_MS })
  connection.close()
  if (exchanged.kind !== 'done') return undefined
  const { execution, error } = parseObject(exchanged.answer.body.toString()) ?? {}
  // By its code: whatever else is not found says nothing of the execution.
  if (asObject(error)?.code === 'EXECUTION_NOT_FOUND') return 'unaccepted'
  return asObject(execution) as Receipt | undefined
}

/** The request to cancel stays on record, whatever comes of it in time. */
const askJournal = async (executionId: string, { clock, cancelRecorded }: CancelOptions): Promise<CancelledState> => {
  const over = new AbortController()
  const late = pause(clock, JOURNAL_MS, over.signal).then(() => undefined)
  try {
    return await Promise.race([cancelRecorded?.(executionId).catch(() => undefined), late])
  } finally {
    // Its timer would keep the process of a caller who was answered.
    over.abort()
  }
}

const cancelledIn = (result: ExecutionResult | undefined): ErrorObject | undefined =>
  result?.ok === false && result.error.code === 'EXECUTION_CANCELLED' ? result.error : undefined

export const cancelExecution = async (
  executionId: string | undefined,
  options: CancelOptions,
): Promise<CancelOutcome> => {
  const outcome = (dispatched?: boolean): CancelOutcome => ({ event: { type: 'command.cancelled', dispatched } })
  if (executionId === undefined) return outcome()
  const state = (await askDaemon(executionId, options)) ?? (await askJournal(executionId, options))
  if (state === undefined) return outcome()
  if (state === 'unaccepted') return outcome(false)
  const { dispatchedAt, result } = state
  const error = cancelledIn(result)
  if (error) return { ...outcome(dispatchedAt !== undefined), error }
  if (result) {
    const body = Buffer.from(JSON.stringify(result))
    return { event: { type: 'response.received' }, answer: { status: OK, headers: {}, body } }
  }
  // Not ended yet, it may be sent after all where it was not.
  return dispatchedAt === undefined ? outcome() : outcome(true)
}
