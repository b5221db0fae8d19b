/** Why a session was not created, as its client is told. */
import type { SessionEmitted } from '../../../../machines/session/session-setup.ts'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import { failure } from '../../../contracts/failures/failures.ts'
import type { AskResult } from '../../../runtime/host.ts'
import { JournalError } from '../../../runtime/journal/fault.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { OpenSession } from '../deps.ts'
import { failureData, failureMessage } from '../protocol/failure-error.ts'
import { WebDriverError } from '../protocol/webdriver-error.ts'

export const notCreated = (error: ErrorObject, executionId?: string): WebDriverError =>
  new WebDriverError('session not created', failureMessage(error), failureData(error, executionId))

export const unrecorded = (message: string): ErrorObject =>
  failure('JOURNAL_UNAVAILABLE', `${message.replace(/\.$/, '')}.`, { details: { dispatched: false } })

/** The session has ended without a problem of its own. */
const endedEarly = (over: Extract<SessionEmitted, { type: 'session.over' }>): ErrorObject => {
  if (over.reason === 'closed')
    return failure('EXECUTION_CANCELLED', 'The server ended while the session was opened.', {
      hint: 'Create the session again once the server is there.',
    })
  return failure('INTERNAL_ERROR', over.failure?.message ?? 'The session ended while it was opened.')
}

/** `openMs` is how long the answer was waited for. */
export const whyNotCreated = (
  outcome: AskResult<SessionEmitted>,
  { problem }: Pick<OpenSession, 'problem'>,
  openMs: number,
): WebDriverError => {
  if (problem) return notCreated(problem.error, problem.executionId)
  if (outcome.kind === 'answered' && outcome.emitted.type === 'session.over')
    return notCreated(endedEarly(outcome.emitted))
  if (outcome.kind === 'unrecorded') return notCreated(unrecorded(outcome.error.message))
  if (outcome.kind === 'broken' && outcome.error instanceof JournalError)
    return notCreated(
      failure('JOURNAL_UNAVAILABLE', `An event of the session could not be recorded: ${outcome.error.message}.`),
    )
  if (outcome.kind === 'broken')
    return notCreated(failure('INTERNAL_ERROR', `The session broke while it was opened: ${messageOf(outcome.error)}.`))
  return notCreated(failure('INTERNAL_ERROR', `The session was not ready within ${openMs} ms.`))
}
