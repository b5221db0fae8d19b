/** DAEMON_PROXY_ERROR: the answer is lost, the action may have executed, and the receipt says whether it did. */
import type { ErrorObject } from '../../contracts/error.ts'
import { failure } from '../../contracts/failures.ts'

export interface LostOptions {
  /** The underlying error text. */
  error: string
  /** When the answer had begun. */
  executionId: string | undefined
  commandId: string | undefined
  /** When the request was written, in epoch ms. */
  since: number
  findExecution: ((commandId: string, since: number) => Promise<string | undefined>) | undefined
}

const MESSAGE = 'The answer of the daemon was lost after the request was sent: the action may have executed.'

const found = async ({ commandId, since, findExecution }: LostOptions): Promise<string | undefined> => {
  if (commandId === undefined) return undefined
  try {
    return await findExecution?.(commandId, since)
  } catch {
    // The doubt is told either way; the journal that could end it is what failed.
    return undefined
  }
}

export const interruptedBefore = (): ErrorObject =>
  failure('EXECUTION_CANCELLED', 'Interrupted before anything was sent.', { details: { dispatched: false } })

/** For what was answered and is no result. */
export const senseless = (executionId: string | undefined): ErrorObject => {
  const details = { error: 'the answer is no result', ...(executionId === undefined ? {} : { executionId }) }
  return failure('DAEMON_PROXY_ERROR', 'The daemon answered with no result: the action may have executed.', {
    details,
    hint: `Did it happen? svc executions ${executionId === undefined ? 'list' : `show ${executionId}`}`,
  })
}

export const lostAnswer = async (options: LostOptions): Promise<ErrorObject> => {
  const { error, commandId } = options
  const executionId = options.executionId ?? (await found(options))
  if (executionId !== undefined) {
    return failure('DAEMON_PROXY_ERROR', MESSAGE, {
      details: { error, executionId },
      hint: `Did it happen? svc executions show ${executionId}`,
    })
  }
  const isPlain = commandId !== undefined && /^[\w.:-]+$/.test(commandId)
  return failure('DAEMON_PROXY_ERROR', MESSAGE, {
    details: { error },
    hint: `Did it happen? svc executions list${isPlain ? ` --command ${commandId}` : ''}`,
  })
}
