/** Whatever ended a command, as the failure that is printed, without the secrets that a message may quote. */
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { failure, isFailureCode } from '../../contracts/failures/failures.ts'

/** Everything between the scheme and the last @: a malformed URL does not say where its password ends. */
const CREDENTIALS = /:\/\/[^"]*@/g
/** A seed of NATS: the first character says that it is secret. */
const SEED = /\bS[A-Z][A-Z2-7]{56}\b/g

const withoutSecrets = (text: string): string => text.replace(CREDENTIALS, '://***@').replace(SEED, '***')

/**
 * Told by its code and not by its class: what was thrown may come from a bundle that has its own copy of the class.
 * A JournalError has a `reason` beside it, which belongs into the details.
 */
export const failureOf = (thrown: unknown): ErrorObject => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { code, reason, details, hint, isInOwnWords } = error as Error & Record<string, unknown>
  // Nothing but a signal to this process ends the asking of a device early.
  if (code === 'LINK_CANCELLED') {
    return failure('EXECUTION_CANCELLED', 'Interrupted before the devices answered.', {
      details: { dispatched: false },
    })
  }
  if (typeof code !== 'string' || !isFailureCode(code)) return failure('INTERNAL_ERROR', error.message)
  const mayHoldSecrets = code === 'USAGE' && isInOwnWords !== true
  return failure(code, mayHoldSecrets ? withoutSecrets(error.message) : error.message, {
    details: reason === undefined ? (details as Record<string, unknown> | undefined) : { reason },
    hint: typeof hint !== 'string' ? undefined : mayHoldSecrets ? withoutSecrets(hint) : hint,
  })
}
