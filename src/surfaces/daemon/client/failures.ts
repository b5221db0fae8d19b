/**
 * DAEMON_PROXY_ERROR: the answer is lost, the action may have executed, and the receipt says whether it did.
 * EXECUTION_CANCELLED: the caller was interrupted.
 */

import type { DispatchEvent } from '../../../contracts/events/dispatch.ts'
import type { Unstamped } from '../../../contracts/events/event.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'

export interface LostAnswer {
  /** The underlying error text. */
  error: string
  /** When the answer had begun. */
  executionId: string | undefined
  /** The id that the daemon has for the execution, if it accepts it. */
  offeredId: string | undefined
  commandId: string | undefined
  /** When the body was written, in epoch ms. */
  since: number
  findExecution: ((commandId: string, since: number) => Promise<string | undefined>) | undefined
}

const LOST = 'The answer of the daemon was lost after the request was sent: the action may have executed.'

const executionIdOf = async ({ executionId, commandId, since, findExecution }: LostAnswer) => {
  if (executionId !== undefined || commandId === undefined) return executionId
  // The outcome is unknown either way: the journal that could tell is what failed.
  return findExecution?.(commandId, since).catch(() => undefined)
}

const proxyError = (message: string, error: string, executionId: string | undefined, ways: string[]): ErrorObject =>
  failure('DAEMON_PROXY_ERROR', message, {
    details: { error, ...(executionId === undefined ? {} : { executionId }) },
    hint: `To see whether it happened: ${ways.map(way => `\`GET /executions${way}\``).join(', or ')}.`,
  })

const CANCELLED = {
  true: 'The execution was cancelled; it may have executed.',
  false: 'The execution was cancelled; nothing was sent to the device.',
  unknown: 'The execution was to be cancelled, and nobody has said how far it was: it may have executed.',
}

/** By the event that ended it: of its interruption before anything was sent, or of the cancellation that followed. */
export const cancelledError = (event: Unstamped<DispatchEvent>, executionId: string | undefined): ErrorObject => {
  if (event.type === 'command.interrupted' && !event.dispatched) {
    return failure('EXECUTION_CANCELLED', 'Interrupted before anything was sent.', { details: { dispatched: false } })
  }
  const dispatched = (event.type === 'command.cancelled' ? event.dispatched : undefined) ?? 'unknown'
  return failure('EXECUTION_CANCELLED', CANCELLED[`${dispatched}`], {
    details: { ...(executionId === undefined ? {} : { executionId }), dispatched },
    ...(dispatched === false || executionId === undefined
      ? {}
      : { hint: `To see whether it happened: \`GET /executions/${executionId}\`.` }),
  })
}

export const noResultError = (executionId: string | undefined, offeredId: string | undefined): ErrorObject => {
  const id = executionId ?? offeredId
  return proxyError(
    'The daemon sent a response that is not a result: the action may have executed.',
    'the body of the answer is not a result',
    executionId,
    [id === undefined ? '' : `/${id}`],
  )
}

/** An id that was only offered has a receipt if the execution was accepted, so it is named as a way to look. */
export const lostAnswerError = async (lost: LostAnswer): Promise<ErrorObject> => {
  const { error, commandId, offeredId } = lost
  const isPlain = commandId !== undefined && /^[\w.:-]+$/.test(commandId)
  const search = isPlain ? `?commandId=${commandId}` : ''
  const executionId = await executionIdOf(lost)
  if (executionId !== undefined) return proxyError(LOST, error, executionId, [`/${executionId}`])
  return proxyError(LOST, error, undefined, offeredId === undefined ? [search] : [`/${offeredId}`, search])
}
